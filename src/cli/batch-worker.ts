// Owns a process that works on files of a batch for another pdftool: local engine, one file after the other.
import { Failure } from '../contract/failure.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { systemClock } from '../runtime/clock.ts';
import { loadPaint } from '../runtime/paint.ts';
import { answerRequests, isWorker } from '../runtime/workers.ts';
import type { RunOwn } from './commands/table.ts';
import { failureOf } from './failure-of.ts';
import { recordStreams } from './recorded.ts';
import { type Run, runOnce } from './run.ts';
import { createVoice } from './voice.ts';

/** What the two say to each other: plain data, on one machine and of one version. */
export interface FileRequest {
  readonly op: string;
  readonly wish: Run['wish'];
  readonly flags: Run['flags'];
  readonly colour: boolean;
  readonly terminals: { readonly out: boolean; readonly err: boolean; readonly columns: number };
}

/** All that a run on one file printed, and how it ended. */
export interface FileAnswer {
  readonly exit: number;
  /** The code of the failure; undefined where there is none. */
  readonly failure?: string;
  readonly out: string;
  readonly err: string;
}

export const work: RunOwn = async ({ signal }) => {
  if (!isWorker()) throw new Failure('usage', '__worker is for batches of pdftool itself', { hint: 'Use -j N.' });
  const { createLocalEngine } = await import('../local/engine.ts');
  const engine = createLocalEngine();
  await answerRequests(async (message) => {
    const { op: name, ...request } = message as FileRequest; // sent by batch.ts of the same program
    const op = OPERATIONS.find((each) => each.name === name);
    if (op === undefined) throw new TypeError(`there is no operation named ${name}`);
    return runRecorded({ ...request, op, engine, clock: systemClock, signal, folder: undefined, batch: true });
  }, signal);
  return 0;
};

/** Runs on one file and keeps what it prints, so that outputs of several files do not mix. */
export async function runRecorded(
  run: Omit<Run, 'streams' | 'voice'> & { readonly terminals: FileRequest['terminals'] },
): Promise<FileAnswer> {
  const { streams, printed } = recordStreams(run.terminals);
  const voice = createVoice({ streams, paint: await loadPaint(run.colour), ...run.flags });
  try {
    // Several files at once cannot all draw: the batch tells how far it is.
    const flags = { ...run.flags, progress: false };
    const exit = await runOnce({ ...run, flags, streams, voice, watched: flags.verbose });
    return { exit, ...printed() };
  } catch (error) {
    const failure = failureOf(error, run.signal);
    run.signal.throwIfAborted();
    if (!(run.wish.skipExisting && failure.code === 'output_exists')) voice.fail(failure, run.wish.files[0]);
    return { exit: failure.exit, failure: failure.code, ...printed() };
  }
}
