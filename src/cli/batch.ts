// Owns runs over several files, some at the same time: one failure does not stop the others. Knows no argv.
import { FAILURES, Failure } from '../contract/failure.ts';
import { outputOf } from '../contract/operation.ts';
import { makeFolder } from '../runtime/folder.ts';
import { watch } from '../runtime/progress.ts';
import { count, formatDuration } from '../runtime/units.ts';
import type { FileAnswer } from './batch-worker.ts';
import { defaultName, outputName } from './destination.ts';
import { failureOf } from './failure-of.ts';
import { type Run, runOnce } from './run.ts';

/** Several files for an operation that takes one; a single file may be left alone as one of several is. */
export function isBatch({ op, wish }: Run): boolean {
  return op.input.file?.kind === 'file' && (wish.files.length > 1 || wish.skipExisting);
}

/** Returns 22 when some failed, after all were tried; else the highest code of those that ran. */
export async function runBatch(run: Run): Promise<number> {
  const { wish, voice, clock } = run;
  const began = clock.now();
  assertDistinct(run);
  if (wish.outDir !== undefined) makeFolder(wish.outDir);
  const failed: string[] = [];
  let worst = 0;
  let last = 0;
  let skipped = 0;
  const ended = (file: string, { exit, failure }: Pick<FileAnswer, 'exit' | 'failure'>) => {
    if (failure === undefined) worst = Math.max(worst, exit);
    else if (failure === 'output_exists' && wish.skipExisting) {
      skipped += 1;
      tellSkipped(run, file);
    } else {
      failed.push(file);
      last = exit;
    }
  };
  if (wish.jobs > 1 && wish.files.length > 1) await runTogether(run, ended);
  else for (const file of wish.files) ended(file, await runAlone(run, file));
  if (skipped > 0 && wish.files.length > 1) voice.note(`${count(skipped, 'file')} left alone: the output exists`);
  const finished = wish.files.length - failed.length - skipped;
  if (wish.files.length > 1 && finished > 0)
    voice.summary(`${count(finished, 'file')} done, ${formatDuration(clock.now() - began)}`);
  if (failed.length === 0) return worst;
  if (wish.files.length === 1) return last;
  const others = finished > 0 ? '; the others are done' : '';
  voice.note(`${failed.length} of ${count(wish.files.length, 'file')} failed${others}`);
  for (const file of failed) voice.note(`failed: ${file}`);
  return FAILURES.partial.exit;
}

async function runAlone(run: Run, file: string): Promise<Pick<FileAnswer, 'exit' | 'failure'>> {
  const { wish, voice, signal } = run;
  try {
    return { exit: await runOnce({ ...run, wish: { ...wish, files: [file] }, batch: wish.files.length > 1 }) };
  } catch (error) {
    const failure = failureOf(error, signal);
    signal.throwIfAborted();
    if (!(wish.skipExisting && failure.code === 'output_exists'))
      voice.fail(failure, wish.files.length > 1 ? file : undefined);
    return { exit: failure.exit, failure: failure.code };
  }
}

/** Answers are printed in the order of the files, whichever is done first. */
async function runTogether(run: Run, ended: (file: string, answer: FileAnswer) => void): Promise<void> {
  const { wish, streams, signal, clock, op, flags, colour } = run;
  const { runnerFor } = await import('./batch-runners.ts');
  const mode = flags.quiet ? 'none' : streams.errIsTerminal && flags.progress ? 'draw' : 'lines';
  const watcher = watch({ streams, clock, mode, verbose: flags.verbose, colour, title: op.name });
  const answers: (FileAnswer | undefined)[] = [];
  const total = wish.files.length;
  let next = 0;
  let done = 0;
  let told = 0;
  const tell = () => {
    for (let answer = answers[told]; answer !== undefined; answer = answers[told]) {
      const file = wish.files[told] ?? '';
      told += 1;
      watcher.aside(() => {
        streams.out(answer.out);
        streams.err(answer.err);
        ended(file, answer);
      });
    }
  };
  const lane = async () => {
    const runner = runnerFor(run);
    try {
      for (let at = next++; at < total; at = next++) {
        signal.throwIfAborted();
        const file = wish.files[at] ?? '';
        answers[at] = await runner.run(file);
        done += 1;
        watcher.progress({ phase: op.name, done, total, unit: 'files', note: file });
        tell();
      }
    } finally {
      await runner.end();
    }
  };
  try {
    const lanes = Array.from({ length: Math.min(wish.jobs, total) }, lane);
    const results = await Promise.allSettled(lanes);
    signal.throwIfAborted();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  } finally {
    watcher.close();
  }
}

function tellSkipped(run: Run, file: string): void {
  const { op, wish, flags, streams, voice } = run;
  const path = outputName(op, wish.values, file, { output: flags.output, folder: wish.outDir ?? run.folder });
  if (flags.json)
    streams.out(`${JSON.stringify({ ok: true, operation: op.name, input: file, skipped: true, output: { path } })}\n`);
  else if (wish.files.length === 1 || flags.verbose) voice.note(`${path} exists; ${file} is left alone`);
}

/** Two inputs of the same base name would have the same output: said before the first is touched. */
function assertDistinct({ op, wish }: Run): void {
  if (wish.outDir === undefined) return;
  const { output } = outputOf(op, wish.values);
  const seen = new Map<string, string>();
  for (const file of wish.files) {
    const name = defaultName(output, file, wish.values);
    const other = seen.get(name);
    if (other !== undefined) {
      throw new Failure('usage', `${other} and ${file} would both be written to ${name}`, {
        hint: 'Run them apart, with another --out-dir.',
      });
    }
    seen.set(name, file);
  }
}
