import { resolve } from 'node:path';
import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import { openValues } from '../../contract/operation.ts';
import { assertAllowed } from '../../flow/checks.ts';
import { estimate } from '../../flow/estimate.ts';
import type { JobPorts, PaidRequest } from '../../flow/job-ports.ts';
import type { JournalEntry } from '../../flow/journal.ts';
import { callPrice, type Price } from '../../flow/price.ts';
import { type Begun, beginSpeech } from '../../flow/speech-job.ts';
import { Workspace } from '../../runtime/files/outputs/workspace.ts';
import { openRow } from '../../runtime/rows/run-row.ts';
import type { Settings } from '../../runtime/settings/settings.ts';
import { passwordFinder } from '../../runtime/terminal/passwords.ts';
import type { Watcher } from '../../runtime/terminal/progress.ts';
import { canAsk, confirm } from '../../runtime/terminal/prompt.ts';
import { count } from '../../runtime/terminal/units.ts';
import { identifyNamed } from '../engines/journal.ts';
import { localProbe } from '../engines/local.ts';
import type { RemoteParts } from '../engines/remote.ts';
import { chooseDestination, outputName } from '../files/destination.ts';
import { type Run, rowRunOf } from '../files/inputs.ts';
import { openWatcher } from '../line/watcher.ts';
import { followJobs } from './follow.ts';
import { openJobPorts } from './ports.ts';

/**
 * Runs an operation that the service answers with a job: priced, confirmed, begun once, followed. Returns the exit
 * code; throws a Failure.
 */
export async function runJob(run: Run, remote: RemoteParts): Promise<number> {
  const { engine, messages, streams, plan } = run;
  const ports = await openJobPorts(remote, engine);
  const { entry, record, found } = await begin(ports, run, remote);
  const since = found ? `, begun ${new Date(entry.begun).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
  if (found) messages.note(`going on with the ${entry.operation} of this file${since}: ${entry.id}`);
  if (plan.job.detach) {
    const { id, job_id, operation, credits } = entry;
    const told = { ok: true, operation, engine: engine.name, id, job_id, credits_estimated: credits };
    if (plan.flags.json) streams.json({ ...record, ...told });
    else streams.out(`${job_id ?? id}\n`);
    messages.note(`watch it with: pdftool jobs watch ${id}`);
    return 0;
  }
  return followJobs(ports, [entry], { ...plan.job, soon: found }, { ...run, flags: plan.flags });
}

/** Opens, checks and prices the file, and submits it; an upload is drawn like that of any other operation. */
async function begin(ports: JobPorts, run: Run, { settings }: RemoteParts): Promise<Begun> {
  const { plan, streams, signal, clock } = run;
  const { op, flags } = plan;
  const [name = ''] = plan.files;
  using workspace = closing(new Workspace());
  using watcher = closing(openWatcher(run, flags, op.name));
  const password = passwordFinder(plan.passwords, streams, signal);
  const { opened, input, ctx } = await openRow({
    ...rowRunOf(run, workspace),
    context: (temp) => ({
      signal,
      clock,
      temp,
      password: (file, attempt) => watcher.asking(() => password(file, attempt)),
      progress: watcher.progress,
      detail: flags.verbose ? watcher.line : () => {},
    }),
  });
  const [source] = opened.sources;
  if (source === undefined) throw new TypeError(`${op.name} takes one file`);
  const guess = await estimate(op, input, ctx, localProbe);
  const price = callPrice(op, input, guess.minutes);
  const path = outputName(plan);
  const request: PaidRequest = {
    kind: 'speech',
    operation: op.name,
    files: [identifyNamed(source, name)],
    fields: openValues(op, input),
    credits: price.credits,
    ...(path === '-' ? {} : { output: { path: resolve(path), force: flags.force } }),
  };
  const ready = async (paid: JournalEntry | undefined) => {
    chooseDestination(plan, opened.identities, streams);
    await assertAllowed(op, input, ctx, localProbe);
    if (price.credits <= (settings.maxCredits ?? Number.POSITIVE_INFINITY))
      await assertWanted(run, settings, price, paid, watcher);
  };
  return await beginSpeech(ports, op, input, request, plan.job.again, ready, ctx);
}

/** Asks before a costly job, where somebody is there to answer. */
async function assertWanted(
  { plan, streams, messages, signal }: Run,
  { confirmCredits }: Settings,
  price: Price,
  paid: JournalEntry | undefined,
  watcher: Watcher,
): Promise<void> {
  if (paid !== undefined && !plan.job.yes && !canAsk(streams)) throw paidBefore(paid);
  const again = paid === undefined ? '' : `the same job was delivered to ${deliveredTo(paid)} before; `;
  const costs = `${again}${plan.op.name} costs about ${count(price.credits, 'credit')} (${price.why})`;
  const dear = price.credits > confirmCredits || paid !== undefined;
  if (plan.job.yes || !dear || !canAsk(streams)) {
    messages.note(costs);
    return;
  }
  watcher.close();
  if (await confirm(`${costs}. Send it?`, streams, signal)) return;
  throw new Failure('interrupted', 'not sent: nothing was charged', {
    hint: 'Take fewer pages with --page-range, or answer y.',
  });
}

/** The failure of a call that was paid for before, where no terminal can ask whether to pay again. */
function paidBefore(paid: JournalEntry): Failure {
  const message = `this ${paid.operation} was paid for and delivered to ${deliveredTo(paid)} before`;
  return new Failure('conflict', `${message}; it was not sent again`, {
    hint: `Fetch it again, at no cost, with: pdftool jobs download ${paid.id}. To pay for another one, add --again.`,
  });
}

function deliveredTo({ result, id }: JournalEntry): string {
  return result?.path ?? `standard output (${id})`;
}
