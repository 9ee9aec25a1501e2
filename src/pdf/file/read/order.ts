// Sorts objects by their places in the file, so that each window is read and each object stream inflated once.
import { COMPRESSED, type XrefTable } from './xref-table.ts';

/** Objects sorted at a time, at most. */
export const WAVE = 1 << 16;
/** Objects placed beyond this are reported as missing: no file is longer. */
const FARTHEST = 2 ** 36;

/** Sorts at most WAVE objects by their place; members of an object stream by the place of the stream. */
export function sortByPlace(nums: Int32Array, { kind, place }: XrefTable): void {
  // One exact number (below 2^52) holds an object's place and its index, so that sorting needs no comparison function.
  const keys = new Float64Array(nums.length);
  for (const [i, num] of nums.entries()) {
    const at = place[num] ?? 0;
    const stands = kind[num] === COMPRESSED ? (place[at] ?? 0) : at;
    keys[i] = Math.min(stands, FARTHEST) * WAVE + i;
  }
  keys.sort();
  const before = nums.slice();
  for (const [i, key] of keys.entries()) nums[i] = before[key % WAVE] ?? 0;
}
