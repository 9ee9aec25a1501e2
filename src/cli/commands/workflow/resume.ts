import { Failure } from '../../../contract/failure.ts';
import type { JobPorts } from '../../../flow/job-ports.ts';
import { type Entry, isOpen } from '../../../flow/journal.ts';
import { openOne } from '../../../runtime/files/inputs.ts';
import { Workspace } from '../../../runtime/files/workspace.ts';
import { identifyNamed } from '../../engines/journal.ts';
import { followJobs } from '../../jobs/follow.ts';
import { openOwnJobPorts } from '../../jobs/ports.ts';
import type { OwnCall } from '../../line/call.ts';
import { readFollowOptions } from '../../line/grammar.ts';
import { openFolder } from './folder.ts';
import { submit } from './submit.ts';

export async function resumeWorkflows(call: OwnCall, ids: readonly string[]): Promise<number> {
  const { messages, options, streams, flags } = call;
  const { ports } = await openOwnJobPorts(call);
  const entries = ids.length === 0 ? openOnes(ports) : ids.map((id) => named(ports, id));
  if (entries.length === 0) {
    messages.note('there is no workflow job to go on with');
    return 0;
  }
  const submitted: Entry[] = [];
  for (const entry of entries) {
    const workspace = new Workspace();
    try {
      const file = await reopen(entry, workspace, call.signal);
      submitted.push(await submit(call, ports, entry, file, workspace));
    } finally {
      workspace.close();
    }
  }
  if (options.detach !== true) return followJobs(ports, submitted, readFollowOptions(options, { soon: true }), call);
  for (const { id, job_id, operation } of submitted) {
    if (flags.json) streams.json({ ok: true, operation, id, job_id });
    else streams.out(`${job_id ?? id}\n`);
  }
  return 0;
}

function openOnes({ journal, service, profile }: JobPorts): Entry[] {
  return journal
    .list('workflow')
    .filter((each) => isOpen(each) && each.service === service && each.profile === profile);
}

function named({ journal }: JobPorts, id: string): Entry {
  const entry = journal.lookUp(id);
  if (entry === undefined || entry.kind !== 'workflow') {
    throw new Failure('not_found', `the journal of this machine has no workflow job ${id}`, {
      hint: 'See them with: pdftool jobs list',
    });
  }
  if (isOpen(entry)) return entry;
  throw new Failure(
    'usage',
    `${entry.operation} ${entry.id} has ended (${entry.status ?? entry.step}): there is nothing to go on with`,
  );
}

/** The file as it is now; whether it still is the one of the job is checked before its bytes are sent. */
async function reopen({ id, files, operation }: Entry, workspace: Workspace, signal: AbortSignal) {
  const path = files[0]?.path;
  if (path === undefined) {
    throw new Failure('usage', `${operation} ${id} was read from standard input, which is gone`, {
      hint: 'Run the same command again with the same input.',
    });
  }
  if (operation === 'workflow folder')
    return { ...identifyNamed((await openFolder(path, workspace, signal)).source, '-'), path };
  return identifyNamed(await openOne(path, workspace, signal), path);
}
