import { join } from 'node:path';
import { atLast, closing } from '../../contract/base/closing.ts';
import { FAILURES, Failure } from '../../contract/base/failure.ts';
import { makeFolder, removeEmptyFolder } from '../../runtime/files/system/folder.ts';
import { count, formatDuration } from '../../runtime/terminal/units.ts';
import { defaultName, outputName } from '../files/destination.ts';
import { failureOf } from '../line/failure-of.ts';
import type { RunPlan } from '../line/plan.ts';
import { openWatcher } from '../line/watcher.ts';
import type { FileAnswer } from './batch-worker.ts';
import { type FileRun, runPlan } from './run.ts';

/** Whether the operation takes one file, so that it runs once for each. */
export function runsForEach({ fileField }: RunPlan): boolean {
  return fileField?.field.kind === 'file';
}

/** Returns 22 when some files failed, after all were tried; else the highest code of all runs. */
export async function runForEach(run: FileRun): Promise<number> {
  const { plan } = run;
  assertDistinct(plan);
  const made = foldersOf(plan).filter(makeFolder);
  try {
    return await runAll(run);
  } finally {
    for (const folder of made.reverse()) removeEmptyFolder(folder);
  }
}

function foldersOf({ outDir, below }: RunPlan): string[] {
  if (outDir === undefined) return [];
  return [outDir, ...[...new Set(Object.values(below))].sort().map((name) => join(outDir, name))];
}

async function runAll(run: FileRun): Promise<number> {
  const { plan, messages, clock } = run;
  const began = clock.now();
  const failed: string[] = [];
  let worst = 0;
  let last = 0;
  let skipped = 0;
  const ended = (file: string, { exit, failure }: Pick<FileAnswer, 'exit' | 'failure'>) => {
    if (failure === undefined) worst = Math.max(worst, exit);
    else if (failure === 'output_exists' && plan.skipExisting) {
      skipped += 1;
      tellSkipped(run, file);
    } else {
      failed.push(file);
      last = exit;
    }
  };
  if (plan.jobs > 1 && plan.files.length > 1) await runTogether(run, ended);
  else for (const file of plan.files) ended(file, await runAlone(run, file));
  if (skipped > 0 && plan.files.length > 1) messages.note(`${count(skipped, 'file')} left alone: the output exists`);
  const finished = plan.files.length - failed.length - skipped;
  if (plan.files.length > 1 && finished > 0)
    messages.summary(`${count(finished, 'file')} done, ${formatDuration(clock.now() - began)}`);
  if (failed.length === 0) return worst;
  if (plan.files.length === 1) return last;
  const others = finished > 0 ? '; the others are done' : '';
  messages.note(`${failed.length} of ${count(plan.files.length, 'file')} failed${others}`);
  for (const file of failed) messages.note(`failed: ${file}`);
  return FAILURES.partial.exit;
}

async function runAlone(run: FileRun, file: string): Promise<Pick<FileAnswer, 'exit' | 'failure'>> {
  const { plan, messages, signal } = run;
  try {
    return { exit: await runPlan({ ...run, plan: { ...plan, files: [file] }, batch: plan.files.length > 1 }) };
  } catch (error) {
    const failure = failureOf(error, signal);
    // The failure may know more than the reason of the stop, such as how to continue a job.
    if (signal.aborted) throw failure;
    if (!(plan.skipExisting && failure.code === 'output_exists')) messages.fail(failure, file);
    return { exit: failure.exit, failure: failure.code };
  }
}

/** Prints answers in the order of the files, whichever finishes first. */
async function runTogether(run: FileRun, ended: (file: string, answer: FileAnswer) => void): Promise<void> {
  const { plan, streams, signal } = run;
  const { op } = plan;
  const { runnerFor } = await import('./batch-runners.ts');
  using watcher = closing(openWatcher(run, plan.flags, op.name));
  const answers: (FileAnswer | undefined)[] = [];
  const total = plan.files.length;
  let next = 0;
  let done = 0;
  let told = 0;
  const tell = () => {
    for (let answer = answers[told]; answer !== undefined; answer = answers[told]) {
      const file = plan.files[told] ?? '';
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
    await using _ = atLast(() => runner.end());
    for (let at = next++; at < total; at = next++) {
      signal.throwIfAborted();
      const file = plan.files[at] ?? '';
      answers[at] = await runner.run(file);
      done += 1;
      watcher.progress({ phase: op.name, done, total, unit: 'files', note: file });
      tell();
    }
  };
  const lanes = Array.from({ length: Math.min(plan.jobs, total) }, lane);
  const results = await Promise.allSettled(lanes);
  signal.throwIfAborted();
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function tellSkipped({ plan, streams, messages }: FileRun, file: string): void {
  const { op, flags, files } = plan;
  const path = outputName({ ...plan, files: [file] });
  if (flags.json) streams.json({ ok: true, operation: op.name, input: file, skipped: true, output: { path } });
  else if (files.length === 1 || flags.verbose) messages.note(`${path} exists; ${file} is left alone`);
}

/** Two inputs of the same base name would have the same output: reported before any work. */
function assertDistinct(plan: RunPlan): void {
  if (plan.outDir === undefined) return;
  const seen = new Map<string, string>();
  for (const file of plan.files) {
    const name = defaultName(plan, file);
    const other = seen.get(name);
    if (other !== undefined) {
      throw new Failure('usage', `${other} and ${file} would both be written to ${name}`, {
        hint: 'Run them apart, with another --out-dir.',
      });
    }
    seen.set(name, file);
  }
}
