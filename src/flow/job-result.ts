import { Failure } from '../contract/base/failure.ts';
import type { BytesResult, Context } from '../contract/base/ports.ts';
import { jobDownload } from '../contract/operations/speech.ts';
import type { JobPorts } from './job-ports.ts';
import type { JobState } from './job-state.ts';
import type { JournalEntry } from './journal.ts';
import { askJob } from './watch-job.ts';

/** The result as a finished draft of `ctx.temp`. */
export async function downloadResult(
  ports: JobPorts,
  entry: JournalEntry,
  state: JobState,
  ctx: Context,
): Promise<BytesResult> {
  const { result_url } = state;
  if (result_url !== undefined) {
    const first = await attempt(ports, result_url, ctx);
    if (first !== undefined) return first;
    ctx.detail('the result address has expired; asking for another');
    const fresh = (await askJob(ports, entry, ctx)).state.result_url;
    const second = fresh === undefined ? undefined : await attempt(ports, fresh, ctx);
    if (second !== undefined) return second;
  }
  if (entry.kind === 'speech' && entry.job_id !== undefined) {
    return ports.engine.call(jobDownload, { id: entry.job_id }, ctx);
  }
  const message = `${entry.operation} ${entry.id} is done, and the service names no address of its result that works`;
  throw new Failure('server', message, { hint: `Try again later with: pdftool jobs download ${entry.id}` });
}

/** Undefined where the address has expired. */
async function attempt({ transfers }: JobPorts, address: string, ctx: Context): Promise<BytesResult | undefined> {
  try {
    return await transfers.fetch(address, ctx);
  } catch (error) {
    if (error instanceof Failure && [401, 403, 404, 410].includes(error.status ?? 0)) return undefined;
    throw error;
  }
}
