// Owns what names lead to, above all destinations (ISO 32000-1, 12.3.2), on its way from an input to the output. Knows no
// tree and no collisions.
import type { Copier } from '../file/copier.ts';
import { DROPPED } from '../file/copier.ts';
import { readable } from '../file/entries.ts';
import { sortByPlace, WAVE } from '../file/order.ts';
import type { PdfFile } from '../file/reader.ts';
import { MARKS, Scan } from '../file/scan.ts';
import { at, skipSpace } from '../file/syntax.ts';
import type { Tray } from '../file/tray.ts';
import { Dict, Ref } from '../file/values.ts';
import type { Pace } from '../pace.ts';
import type { NameList } from './name-list.ts';
import type { Renames } from './renames.ts';

const scan = new Scan();
/** The most bytes of an object that comes to stand in the tree. A destination has 40; a lookup reads a leaf of them whole. */
const MOST_HELD = 128;
/** How many objects are copied between two looks at the clock, at least. */
const AT_ONCE = 16;
/** Not in the output's values. */
const NOWHERE = -1;
/** An object that several names refer to. */
const SHARED = -1;

/**
 * Adds the entries of an input's list to those of the output. `held`: by object number, one more than the place in the
 * output's `values` where the object stands; elsewhere it is 0.
 */
export function takeOver(
  list: NameList,
  output: NameList,
  copier: Copier,
  held: Int32Array | undefined,
  renames: Renames | undefined,
): void {
  const { bytes } = list;
  for (let i = 0; i < list.count; i++) {
    const start = list.start(i);
    const end = list.end(i);
    const num = list.reference(i);
    const place = num < 0 ? moved(list, i, output.values, copier) : held === undefined ? NOWHERE : held[num]! - 1;
    const fresh = place >= 0 ? DROPPED : copier.ref(num);
    if (place >= 0) output.hold(bytes, start, end, place);
    else if (fresh === DROPPED) output.hold(bytes, start, end, output.values.text('null'));
    else output.refer(bytes, start, end, fresh);
    const tail = renames?.tail(bytes, start, end, list.hash(i));
    if (tail !== undefined) output.append(tail);
  }
}

/** Copies what an entry is that is no reference, and returns its place in `values`. */
function moved(list: NameList, i: number, values: Tray, copier: Copier): number {
  const place = list.place(i);
  const { writer } = copier;
  const start = values.at;
  writer.aside(values);
  copier.value(list.values.bytes, list.values.start(place), list.values.bytes.length);
  writer.back(values);
  return values.note(start, values.at);
}

/** The objects that one name refers to and nothing that was copied, in order. */
function loneObjects(list: NameList, copier: Copier): Int32Array {
  const names = new Int8Array(copier.map.length);
  const nums = new Int32Array(countLone(list, copier, names));
  let at = 0;
  for (let num = 0; num < names.length; num++) if (names[num] === 1) nums[at++] = num;
  return nums;
}

/** Notes of each object whether one name refers to it (1) or several do (SHARED), and counts the former. */
function countLone(list: NameList, { file, map }: Copier, names: Int8Array): number {
  let count = 0;
  for (let i = 0; i < list.count; i++) {
    const num = list.reference(i);
    if (num < 0 || num >= map.length || map[num] !== 0 || !file.has(num)) continue;
    if (names[num] === 0) count += 1;
    else if (names[num] !== SHARED) count -= 1;
    names[num] = names[num] === 0 ? 1 : SHARED;
  }
  return count;
}

/**
 * Copies the small objects that a single name refers to and nothing else into `values`, so that they stand in the tree
 * itself. A manual has 18,000 of them, which take more time and space as objects than for what they say. For `takeOver`.
 */
export async function holdLone(list: NameList, values: Tray, copier: Copier, pace: Pace): Promise<Int32Array> {
  const nums = loneObjects(list, copier);
  const held = new Int32Array(copier.map.length);
  for (let from = 0; from < nums.length; from += WAVE) {
    const wave = nums.slice(from, from + WAVE);
    sortByPlace(wave, copier.file.xref);
    for (let i = 0; i < wave.length; i += AT_ONCE) {
      hold(wave.subarray(i, i + AT_ONCE), values, copier, held);
      if (pace.due()) await pace.turn();
    }
  }
  return held;
}

/** Not in the loop above: a function that may wait is never as quick. */
function hold(nums: Int32Array, values: Tray, copier: Copier, held: Int32Array): void {
  const { file, writer } = copier;
  writer.aside(values);
  for (let i = 0; i < nums.length; i++) {
    const num = nums[i]!;
    if (!readable(file, num) || !file.scanObject(num, scan, MARKS) || scan.stream || scan.seen !== 0) continue;
    if (scan.end - file.pos > MOST_HELD) continue;
    const start = writer.at;
    copier.emit(file.buf, file.pos, scan.end, -1, 0, scan);
    held[num] = 1 + values.note(start, writer.at);
  }
  writer.back(values);
}

/** How many destinations are looked at before all are: in a document that is whole, none is dead. */
const SAMPLE = 64;

/**
 * Takes out the destinations whose page is null: pages that were cut out of a larger document bring along the names of all
 * of it, and those lead nowhere (a page of such a manual had 1,500 of them).
 */
export function dropDead(file: PdfFile, destinations: NameList): void {
  const dead = new Map<number, boolean>();
  const isDead = (i: number): boolean => {
    const num = destinations.reference(i);
    const found = file.resolve(num < 0 ? destinations.values.parsed(destinations.place(i)) : new Ref(num, 0));
    const list = found instanceof Dict ? file.resolve(found.get('D')) : found;
    const page = Array.isArray(list) ? list[0] : undefined;
    if (!(page instanceof Ref)) return page === null;
    let gone = dead.get(page.num);
    if (gone === undefined) {
      gone = isNull(file, page.num);
      dead.set(page.num, gone);
    }
    return gone;
  };
  const step = Math.ceil(destinations.count / SAMPLE);
  for (let i = 0; i < destinations.count; i += step) {
    if (!isDead(i)) continue;
    destinations.remove(isDead);
    return;
  }
}

function isNull(file: PdfFile, num: number): boolean {
  return !file.fetch(num) || at(file.buf, skipSpace(file.buf, file.pos, file.limit), 'null');
}
