// Owns how soon and how far this process has V8 optimise its code, which runs for a short time. Knows no operation.
import { setFlagsFromString } from 'node:v8';

const NODE_20 = process.versions.node.startsWith('20.');

/** What V8 calls its measure of work before it compiles a function for speed, by its major versions (Node 20 to 26). */
const FLAGS: Record<string, string> = {
  11: '--interrupt-budget=540672',
  12: '--invocation-count-for-turbofan=12000',
  13: '--invocation-count-for-turbofan=12000',
  14: '--invocation-count-for-turbofan=12000',
};

/**
 * Four times V8's own measure and more. Making a file smaller touches much code for a short time each: compiling it took a quarter
 * of all processor time for a file under 2 MB, and what was compiled ran too short to pay. From 5 MB on it is the same
 * either way. A version not in the table is left alone: it would complain of a flag that it does not know.
 */
export function optimiseLate(): void {
  const flag = FLAGS[process.versions.v8.split('.')[0] ?? ''];
  if (flag !== undefined) setFlagsFromString(flag);
}

/**
 * Optimises later and inlines less. A run of half a second has dozens of functions that are just warm; optimising them with
 * all that they call took another thread two thirds as much processor time as the work itself, and the work waited for it
 * where there is no second core. Like this a rotation takes 0.78 of the processor time, a merge of two manuals 0.85, the
 * text of 566 pages 0.75, of 2,415 pages 0.82. Twice as late as this takes as much of it and 3 to 7 % more time. Loops are
 * not peeled: the copies take longer to compile than they save (2 to 4 % of the time, 4 to 5 % of the processor time; as
 * much as before for the text of 2,415 pages). Measured on Node 20; later ones have a quicker compiler in between, and are
 * left alone.
 */
export function optimiseLess(): void {
  if (!NODE_20) return;
  setFlagsFromString('--interrupt-budget=120000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=120');
  setFlagsFromString('--no-turbo-loop-peeling');
}

/**
 * Optimises later from here on. What each of many outputs needs once is some hundred functions, which pay later; and while
 * outputs are written, the other threads have work. A split into 500 files takes 0.86 of the time that it takes as in
 * `optimiseLess` to its end, and 0.98 of what it takes with 300000 from its beginning.
 */
export function optimiseSeldom(): void {
  if (NODE_20) setFlagsFromString('--interrupt-budget=600000');
}
