// Finds jobs that are not in the journal (begun on another machine, or forgotten) by asking the service.
import { Failure } from '../contract/base/failure.ts';
import type { Context, Values } from '../contract/base/ports.ts';
import { workflowStatus } from '../contract/operations/service/workflow.ts';
import { jobStatus } from '../contract/operations/speech.ts';
import type { JobPorts } from './job-ports.ts';
import { readState } from './job-state.ts';
import type { JournalEntry } from './journal.ts';

export interface FoundJob {
  readonly kind: 'speech' | 'workflow';
  readonly id: string;
  readonly record: Values;
}

/** Throws `not_found` where the service has none either. */
export async function findAnyJob({ engine }: JobPorts, id: string, ctx: Context): Promise<FoundJob> {
  try {
    const { record } = await engine.call(jobStatus, { id }, ctx);
    return { kind: 'speech', id, record };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
  }
  try {
    const { record } = await engine.call(workflowStatus, { jobId: id }, ctx);
    return { kind: 'workflow', id, record };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    throw new Failure('not_found', `neither this machine nor the service knows a job ${id}`, {
      status: error.status,
      hint: 'See those that were begun here with: pdftool jobs list',
      cause: error,
    });
  }
}

/** Makes a journal entry for such a job. */
export function adoptJob(
  { journal, service, profile, digest }: JobPorts,
  { kind, id, record }: FoundJob,
): JournalEntry {
  const begun = journal.begin(digest(JSON.stringify([service, profile, kind, id])), {
    kind,
    operation: `${kind} job`,
    service,
    profile,
    files: [],
    fields: {},
  });
  return journal.add(begun, { step: 'accepted', job_id: id, status: readState(record).status });
}
