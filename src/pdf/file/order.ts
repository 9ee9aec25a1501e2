// Owns the order in which objects are best read. Reads none.
import { PACKED, type XrefTable } from './xref.ts';

/** Sorts objects by where they stand, object stream by object stream: each window is read and each stream inflated once. */
export function sortByPlace(nums: number[], { kind, place }: XrefTable): void {
  const key = (num: number): number => (kind[num] === PACKED ? place[place[num]!]! : place[num]!);
  let sorted = true;
  for (let i = 1, last = key(nums[0]!); i < nums.length && sorted; i++) {
    const next = key(nums[i]!);
    sorted = next >= last;
    last = next;
  }
  if (!sorted) nums.sort((a, b) => key(a) - key(b));
}
