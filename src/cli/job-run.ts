// Owns one run of an operation that the service answers with a job: priced, asked about, begun once, followed. Knows no argv.
import { resolve } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { openValues } from '../contract/operation.ts';
import type { Context, RandomAccess } from '../contract/ports.ts';
import { checkInput } from '../flow/checks.ts';
import type { Ask, Desk } from '../flow/desk.ts';
import { estimate } from '../flow/estimate.ts';
import type { Entry } from '../flow/journal.ts';
import { type Price, priceOf } from '../flow/price.ts';
import { type Begun, beginSpeech } from '../flow/speech-job.ts';
import { passwordFinder } from '../runtime/passwords.ts';
import { type Watcher, watch } from '../runtime/progress.ts';
import { canAsk, confirm } from '../runtime/prompt.ts';
import { count } from '../runtime/units.ts';
import { Workspace } from '../runtime/workspace.ts';
import { identifyNamed } from './books.ts';
import { chooseDestination, outputName } from './destination.ts';
import { openDesk } from './job-desk.ts';
import { followJobs, followWish } from './job-follow.ts';
import { localProbe } from './remote.ts';
import { openWish, placeOf, type Run, watchMode, withPages } from './run.ts';

type Around = NonNullable<Run['around']>;

/** Runs once. Returns the exit code; throws a Failure. */
export async function runJob(run: Run, around: Around): Promise<number> {
  const { engine, voice, flags, streams } = run;
  const { settings, surroundings, options } = around;
  const desk = await openDesk(settings, surroundings, engine);
  const { entry, record, found } = await begin(desk, run, around);
  const since = found ? `, begun ${new Date(entry.begun).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
  if (found) voice.note(`going on with the ${entry.operation} of this file${since}: ${entry.id}`);
  if (options.detach === true) {
    const id = entry.job_id ?? entry.id;
    const { operation, credits } = entry;
    const told = {
      ok: true,
      operation,
      engine: engine.name,
      id: entry.id,
      job_id: entry.job_id,
      credits_estimated: credits,
    };
    streams.out(flags.json ? `${JSON.stringify({ ...record, ...told })}\n` : `${id}\n`);
    voice.note(`watch it with: pdftool jobs watch ${entry.id}`);
    return 0;
  }
  return followJobs(desk, [entry], followWish(options, { soon: found, draw: options.wait !== true }), run);
}

/** Opens, checks and prices the file, and hands it over; an upload is drawn like that of any other operation. */
async function begin(desk: Desk, run: Run, around: Around): Promise<Begun> {
  const { op, wish, flags, streams, signal, clock } = run;
  const { options, settings } = around;
  const [name = ''] = wish.files;
  const workspace = new Workspace();
  const watcher = watch({
    streams,
    clock,
    mode: watchMode(run),
    verbose: flags.verbose,
    colour: run.colour,
    title: op.name,
  });
  try {
    const { input, identities } = await openWish(run, workspace);
    const password = passwordFinder(wish.passwords, streams, signal);
    const ctx: Context = {
      signal,
      clock,
      temp: workspace.temp({ name: op.name }),
      password: (name, attempt) => watcher.asking(() => password(name, attempt)),
      progress: watcher.progress,
      detail: flags.verbose ? watcher.line : () => {},
    };
    // Its format is not shown in SERVICE.md, so pages are sent in the plainest words: 1-3,7.
    const asked = await withPages(run, input, ctx);
    const guess = await estimate(op, asked, ctx, localProbe);
    const price = priceOf(op, asked, guess.minutes);
    const { file } = asked;
    const path = outputName(op, asked, name, placeOf(run));
    const ask: Ask = {
      kind: 'speech',
      operation: op.name,
      files: [identifyNamed(file as RandomAccess, name)], // openWish has opened it
      fields: openValues(op, asked),
      credits: price.credits,
      ...(path === '-' ? {} : { output: { path: resolve(path), force: flags.force } }),
    };
    const ready = async (paid: Entry | undefined) => {
      chooseDestination(op, asked, name, placeOf(run), identities, streams);
      const failed = (await checkInput(op, asked, ctx, localProbe)).find(({ failure }) => failure !== undefined);
      if (failed?.failure !== undefined) throw failed.failure;
      if (price.credits <= (settings.maxCredits ?? Number.POSITIVE_INFINITY))
        await assertWanted(run, around, price, paid, watcher);
    };
    return await beginSpeech(desk, op, asked, ask, options.again === true, ready, ctx);
  } finally {
    watcher.close();
    workspace.close();
  }
}

/** What costs much is asked about, where somebody is there to answer. */
async function assertWanted(
  { op, streams, voice, signal }: Run,
  { options, settings }: Around,
  price: Price,
  paid: Entry | undefined,
  watcher: Watcher,
) {
  if (paid !== undefined && options.yes !== true && !canAsk(streams)) throw paidBefore(paid);
  const again = paid === undefined ? '' : `the same job was delivered to ${deliveredTo(paid)} before; `;
  const costs = `${again}${op.name} costs about ${count(price.credits, 'credit')} (${price.why})`;
  const dear = price.credits > settings.confirmCredits || paid !== undefined;
  if (options.yes === true || !dear || !canAsk(streams)) {
    voice.note(costs);
    return;
  }
  watcher.close();
  if (await confirm(`${costs}. Send it?`, streams, signal)) return;
  throw new Failure('interrupted', 'not sent: nothing was charged', {
    hint: 'Take fewer pages with --page-range, or answer y.',
  });
}

/** Nobody is there to be asked whether it should be paid for twice. */
function paidBefore(paid: Entry): Failure {
  const message = `this ${paid.operation} was paid for and delivered to ${deliveredTo(paid)} before`;
  return new Failure('conflict', `${message}; it was not sent again`, {
    hint: `Fetch it again, at no cost, with: pdftool jobs download ${paid.id}. To pay for another one, add --again.`,
  });
}

function deliveredTo({ result, id }: Entry): string {
  return result?.path ?? `standard output (${id})`;
}
