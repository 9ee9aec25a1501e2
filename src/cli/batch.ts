// Owns runs over several files, one after the other: one failure does not stop the others. Knows no argv.
import { FAILURES, Failure } from '../contract/failure.ts';
import { outputOf } from '../contract/operation.ts';
import { makeFolder } from '../runtime/folder.ts';
import { count } from '../runtime/units.ts';
import { defaultName } from './destination.ts';
import { failureOf } from './failure-of.ts';
import { type Run, runOnce } from './run.ts';

/** Returns 22 when some failed, after all were tried; else the highest code of those that ran. */
export async function runBatch(run: Run): Promise<number> {
  const { wish, voice } = run;
  assertDistinct(run);
  if (wish.outDir !== undefined) makeFolder(wish.outDir);
  let failed = 0;
  let worst = 0;
  for (const file of wish.files) {
    try {
      worst = Math.max(worst, await runOnce({ ...run, wish: { ...wish, files: [file] }, batch: true }));
    } catch (error) {
      const failure = failureOf(error, run.signal);
      run.signal.throwIfAborted();
      failed += 1;
      voice.fail(failure, file);
    }
  }
  if (failed === 0) return worst;
  voice.note(`${failed} of ${count(wish.files.length, 'file')} failed; the others are done`);
  return FAILURES.partial.exit;
}

/** Two inputs of the same base name would have the same output: said before the first is touched. */
function assertDistinct({ op, wish }: Run): void {
  if (wish.outDir === undefined) return;
  const { output } = outputOf(op, wish.values);
  const seen = new Map<string, string>();
  for (const file of wish.files) {
    const name = defaultName(output, file);
    const other = seen.get(name);
    if (other !== undefined) {
      throw new Failure('usage', `${other} and ${file} would both be written to ${name}`, {
        hint: 'Run them apart, with another --out-dir.',
      });
    }
    seen.set(name, file);
  }
}
