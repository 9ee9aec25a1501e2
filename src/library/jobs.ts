import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context, Values } from '../contract/base/ports.ts';
import type { Engine } from '../contract/engine.ts';
import { type InputOf, type Operation, openValues, outputOf, type ResultOf } from '../contract/operation.ts';
import type { Probe } from '../flow/check.ts';
import { assertAllowed } from '../flow/checks.ts';
import type { JobFile, JobPorts } from '../flow/job-ports.ts';
import { downloadResult } from '../flow/job-result.ts';
import { estimatePrice } from '../flow/price.ts';
import { beginSpeech } from '../flow/speech-job.ts';
import { jobFailure, watchJob } from '../flow/watch-job.ts';

/**
 * Decorates the remote engine so that calls return the file where the service answers with a job: the job is begun,
 * watched and its result fetched. A job of the same file that is running or done is found in the journal and not paid
 * for again.
 */
export function followingJobs(
  engine: Engine,
  ports: () => Promise<JobPorts>,
  probe: Probe,
  identify: (source: ByteSource) => JobFile | undefined,
): Engine {
  async function follow(op: Operation, input: Values, ctx: Context): Promise<BytesResult> {
    const opened = await ports();
    // Rows that make jobs take one file, of that name.
    const file = identify(input.file as ByteSource);
    if (file === undefined) throw new TypeError(`${op.name} takes one file`);
    const { credits } = await estimatePrice(op, input, ctx, probe);
    const fields = openValues(op, input);
    const request = { kind: 'speech', operation: op.name, files: [file], fields, credits } as const;
    const ready = async (paid: object | undefined) => {
      await assertAllowed(op, input, ctx, probe);
      if (paid === undefined) return;
      throw new Failure('conflict', `this ${op.name} was paid for and delivered before; it was not sent again`, {
        hint: 'Fetch it again, at no cost, with: pdftool jobs download',
      });
    };
    const { entry, found } = await beginSpeech(opened, op, input, request, false, ready, ctx);
    const ended = await watchJob(opened, entry, found, () => {}, ctx);
    if (ended.state.phase === 'failed') throw jobFailure(ended.entry, ended.state);
    return downloadResult(opened, ended.entry, ended.state, ctx);
  }

  return {
    ...engine,
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const values = input as Values;
      if (outputOf(op, values).output.kind !== 'job') return engine.call(op, input, ctx);
      // A job's output may be returned as its file, as on this machine.
      return (await follow(op, values, ctx)) as ResultOf<O>;
    },
  };
}
