// Objects are read in the order of their places, so that each window is read and each object stream inflated once.
import { COMPRESSED, type XrefTable } from './xref-table.ts';

/** The most objects that are sorted at once. */
export const WAVE = 1 << 16;
/** No file is longer; an object placed beyond is found missing. */
const FARTHEST = 2 ** 36;

/** Sorts objects, WAVE of them at most, by where they stand, those of an object stream by where that stands. */
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
