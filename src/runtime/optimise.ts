// Owns how soon this process has V8 optimise its code, where most of it runs for a short time. Knows no operation.
import { setFlagsFromString } from 'node:v8';

/** What V8 calls its measure of work before it compiles a function for speed, by its major versions (Node 20 to 26). */
const FLAGS: Record<string, string> = {
  11: '--interrupt-budget=540672',
  12: '--invocation-count-for-turbofan=12000',
  13: '--invocation-count-for-turbofan=12000',
  14: '--invocation-count-for-turbofan=12000',
};

/**
 * Four times V8's own measure. Making a file smaller touches much code for a short time each: compiling it took a quarter
 * of all processor time for a file under 2 MB, and what was compiled ran too short to pay. From 5 MB on it is the same
 * either way. A version not in the table is left alone: it would complain of a flag that it does not know.
 */
export function optimiseLate(): void {
  const flag = FLAGS[process.versions.v8.split('.')[0] ?? ''];
  if (flag !== undefined) setFlagsFromString(flag);
}
