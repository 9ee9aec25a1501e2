import { Failure } from '../../contract/failure.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { answerRequests, isWorker } from '../../runtime/processes/workers.ts';
import { loadPaint } from '../../runtime/terminal/paint.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import type { RunOwn } from '../commands/call.ts';
import { failureOf } from '../failure-of.ts';
import { createMessages } from '../messages.ts';
import type { RunPlan } from './plan.ts';
import { type FileRun, runOnce } from './run.ts';

/** What a process of a batch is asked: plain data, on one machine and of one version. */
export interface FileRequest {
  readonly plan: Omit<RunPlan, 'op'> & { readonly op: string };
  readonly colour: boolean;
  readonly terminals: Terminals;
}

/** What of the terminals decides how things are printed. */
export interface Terminals {
  readonly out: boolean;
  readonly err: boolean;
  readonly columns: number;
}

/** All that a run on one file printed, and how it ended. */
export interface FileAnswer {
  readonly exit: number;
  /** The code of the failure; undefined where there is none. */
  readonly failure?: string;
  readonly out: string;
  readonly err: string;
}

export const work: RunOwn = async ({ signal, clock, version }) => {
  if (!isWorker()) throw new Failure('usage', '__worker is for batches of pdftool itself', { hint: 'Use -j N.' });
  const { createLocalEngine } = await import('../../local/engine.ts');
  const engine = createLocalEngine();
  await answerRequests(async (message) => {
    const { plan, ...request } = message as FileRequest; // sent by batch-runners.ts of the same program
    const op = OPERATIONS.find(({ name }) => name === plan.op);
    if (op === undefined) throw new TypeError(`there is no operation named ${plan.op}`);
    return runRecorded({ ...request, plan: { ...plan, op }, engine, clock, signal, version, batch: true });
  }, signal);
  return 0;
};

/** Runs on one file and keeps what it prints, so that outputs of several files do not mix. */
export async function runRecorded(
  run: Omit<FileRun, 'streams' | 'messages'> & { readonly terminals: Terminals },
): Promise<FileAnswer> {
  const { plan, signal } = run;
  const { streams, printed } = recordStreams(run.terminals);
  const messages = createMessages({ streams, paint: await loadPaint(run.colour), ...plan.flags });
  try {
    // Several files at once cannot all draw: the batch tells how far it is.
    const flags = { ...plan.flags, progress: false };
    const exit = await runOnce({ ...run, plan: { ...plan, flags }, streams, messages, watched: flags.verbose });
    return { exit, ...printed() };
  } catch (error) {
    const failure = failureOf(error, signal);
    signal.throwIfAborted();
    if (!(plan.skipExisting && failure.code === 'output_exists')) messages.fail(failure, plan.files[0]);
    return { exit: failure.exit, failure: failure.code, ...printed() };
  }
}

/** Streams that look like those terminals and keep what is printed. */
function recordStreams(terminals: Terminals): {
  streams: Streams;
  printed: () => { out: string; err: string };
} {
  let out = '';
  let err = '';
  return {
    streams: {
      outIsTerminal: terminals.out,
      errIsTerminal: terminals.err,
      columns: () => terminals.columns,
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      pour: () => {
        throw new TypeError('bytes go to files in a batch');
      },
      isStuck: () => false,
    },
    printed: () => ({ out, err }),
  };
}
