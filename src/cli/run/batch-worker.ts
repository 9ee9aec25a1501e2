import { OPERATIONS } from '../../contract/operations/all.ts';
import { openAsker } from '../../runtime/processes/channel.ts';
import { loadPaint } from '../../runtime/terminal/paint.ts';
import { type Streams, textOutputs } from '../../runtime/terminal/streams.ts';
import { machineMeans } from '../children/means.ts';
import type { RunOwn } from '../line/call.ts';
import { failureOf } from '../line/failure-of.ts';
import { createMessages } from '../line/messages.ts';
import type { RunPlan } from '../line/plan.ts';
import { type FileRun, runPlan } from './run.ts';

/** The request to a batch process: plain data. */
export interface FileRequest {
  readonly plan: Omit<RunPlan, 'op'> & { readonly op: string };
  readonly colour: boolean;
  readonly terminals: Terminals;
}

interface Terminals {
  readonly out: boolean;
  readonly err: boolean;
  readonly columns: number;
}

/** All that a run on one file printed, and how it ended. */
export interface FileAnswer {
  readonly exit: number;
  /** The failure's code; undefined where there is none. */
  readonly failure?: string;
  readonly out: string;
  readonly err: string;
}

export const runBatchWorker: RunOwn = async ({ signal, clock, version }) => {
  const asker = openAsker('__worker', 'Use -j N.');
  const { createLocalEngine } = await import('../../local/engine.ts');
  const engine = createLocalEngine();
  const means = machineMeans(clock, signal);
  await asker.serve(async (message) => {
    const { plan, ...request } = message as FileRequest; // sent by batch-runners.ts of the same program
    const op = OPERATIONS.find(({ name }) => name === plan.op);
    if (op === undefined) throw new TypeError(`there is no operation named ${plan.op}`);
    return runRecorded({ ...request, plan: { ...plan, op }, engine, means, clock, signal, version, batch: true });
  }, signal);
  return 0;
};

/** Runs on one file and records what it prints, so that outputs of several files do not mix. */
export async function runRecorded(
  run: Omit<FileRun, 'streams' | 'messages'> & { readonly terminals: Terminals },
): Promise<FileAnswer> {
  const { plan, signal } = run;
  const { streams, printed } = recordStreams(run.terminals);
  const messages = createMessages({ streams, paint: await loadPaint(run.colour), ...plan.flags });
  try {
    // Several files cannot all draw progress: the batch shows its own.
    const flags = { ...plan.flags, progress: false };
    const exit = await runPlan({ ...run, plan: { ...plan, flags }, streams, messages, watched: flags.verbose });
    return { exit, ...printed() };
  } catch (error) {
    const failure = failureOf(error, signal);
    signal.throwIfAborted();
    if (!(plan.skipExisting && failure.code === 'output_exists')) messages.fail(failure, plan.files[0]);
    return { exit: failure.exit, failure: failure.code, ...printed() };
  }
}

/** Streams that behave like these terminals and record what is printed. */
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
      ...textOutputs(terminals.out, (text) => {
        out += text;
      }),
      err: (text) => void (err += text),
      pour: () => {
        throw new TypeError('bytes go to files in a batch');
      },
      isStuck: () => false,
    },
    printed: () => ({ out, err }),
  };
}
