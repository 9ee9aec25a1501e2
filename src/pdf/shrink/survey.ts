// Owns what a document consists of: the objects reachable from its trailer, in the order of the file, and what leads where.
// Knows nothing of writing; reads each object once and keeps numbers only.

import type { PdfFile } from '../file/reader.ts';
import { isKey, KEYS, LENGTH, Scan } from '../file/scan.ts';
import { Ref } from '../file/values.ts';
import { PACKED } from '../file/xref.ts';
import type { Pace } from '../pace.ts';

/** Private data of programs and pictures of pages: nothing shows them (ISO 32000-1, 14.5 and 12.3.4). */
export const LEFT_OUT = ['PieceInfo', 'Thumb'];

/** What an object's bytes say about it, as bits. */
export const TRIMMED = 1;
export const DESCRIPTOR = 2;
export const FONT = 4;
export const STREAM = 8;
export const PAGE = 16;
export const COMPOSITE = 32;
export const DRAWN_GLYPHS = 64;

const MARKS: readonly [text: string, bit: number][] = [
  ['/PieceInfo', TRIMMED],
  ['/Thumb', TRIMMED],
  ['/FontFile', DESCRIPTOR],
  ['/FontDescriptor', FONT],
  ['/Page', PAGE],
  ['/DescendantFonts', COMPOSITE],
  ['/CharProcs', DRAWN_GLYPHS],
];

export interface Survey {
  /** Reachable objects, in the order of the file. */
  readonly objects: readonly number[];
  /** Bits of each object by number. */
  readonly marks: Uint8Array;
  /** Length of each stream by number, as it is stored. */
  readonly lengths: ReadonlyMap<number, number>;
  reached(num: number): boolean;
  /** Objects that the object refers to. */
  refs(num: number): Int32Array;
}

/** What is not to be followed: references from an object to others, and references to some objects from anywhere. */
export interface Cut {
  readonly from: ReadonlyMap<number, ReadonlySet<number>>;
  readonly to: ReadonlySet<number>;
}
const NOTHING: Cut = { from: new Map(), to: new Set() };

/** Follows every reference from the catalog and the document information, but not those of `cut`. */
export async function survey(file: PdfFile, pace: Pace, cut: Cut = NOTHING): Promise<Survey> {
  const { size, trailer } = file.xref;
  const walk = new Walk(file, size, cut);
  for (const key of ['Root', 'Info']) {
    const value = trailer.get(key);
    if (value instanceof Ref) walk.meet(value.num);
  }
  await walk.run(pace);
  return walk.result();
}

class Walk {
  private readonly file: PdfFile;
  private readonly cut: Cut;
  private readonly scan = new Scan();
  private readonly marks: Uint8Array;
  private readonly met: Uint8Array;
  private readonly lengths = new Map<number, number>();
  private readonly objects: number[] = [];
  private todo: number[] = [];
  /** References of all objects one after another; where those of each object begin and how many they are. */
  private flat = new Int32Array(4096);
  private used = 0;
  private readonly first: Int32Array;
  private readonly count: Int32Array;

  constructor(file: PdfFile, size: number, cut: Cut) {
    this.file = file;
    this.cut = cut;
    this.marks = new Uint8Array(size);
    this.met = new Uint8Array(size);
    this.first = new Int32Array(size);
    this.count = new Int32Array(size);
  }

  meet(num: number): void {
    if (num >= this.met.length || this.met[num] === 1 || !this.file.has(num)) return;
    this.met[num] = 1;
    this.todo.push(num);
  }

  async run(pace: Pace): Promise<void> {
    const key = this.keys();
    while (this.todo.length > 0) {
      // In the order of the file, so that each window is read and each object stream inflated once a wave.
      const wave = this.todo.sort((a, b) => key(a) - key(b));
      this.todo = [];
      for (const num of wave) {
        this.visit(num);
        if (pace.due()) await pace.turn();
      }
    }
    this.objects.sort((a, b) => key(a) - key(b));
  }

  result(): Survey {
    const { objects, marks, lengths, met, flat, first, count } = this;
    const reached = (num: number) => met[num] === 1;
    return { objects, marks, lengths, reached, refs: (num) => flat.subarray(first[num]!, first[num]! + count[num]!) };
  }

  private keys(): (num: number) => number {
    const { kind, place, index } = this.file.xref;
    return (num) => (kind[num] === PACKED ? (place[place[num]!] ?? 0) + index[num]! / 0x100000 : place[num]!);
  }

  private visit(num: number): void {
    const { file, scan } = this;
    this.objects.push(num);
    this.first[num] = this.used;
    if (!file.scanObject(num, scan)) return;
    const { buf, pos } = file;
    const bytes = Buffer.from(buf.buffer, buf.byteOffset + pos, scan.end - pos);
    let marks = scan.stream ? STREAM : 0;
    const spelt = bytes.includes('#') ? spelledOut(bytes) : '';
    for (const [text, bit] of MARKS)
      if ((marks & bit) === 0 && (bytes.includes(text, 0, 'latin1') || spelt.includes(text))) marks |= bit;
    const { edits, count } = scan;
    const found: number[] = [];
    for (let i = 0; i < count; i += 3) if (edits[i + 2]! !== LENGTH && edits[i + 2]! >= 0) found.push(i);
    const refs = found.map((i) => [edits[i]!, edits[i + 2]!] as const);
    if (scan.stream) this.lengths.set(num, file.streamPlace(num, scan).length);
    const without = (marks & TRIMMED) === 0 ? [] : this.leftOut(num);
    const cut = this.cut.from.get(num);
    for (const [at, ref] of refs) {
      if (cut?.has(ref) || this.cut.to.has(ref)) continue;
      if (without.some(([start, end]) => at >= start && at < end)) continue;
      this.meet(ref);
      this.note(ref);
    }
    this.count[num] = this.used - this.first[num]!;
    this.marks[num] = marks;
  }

  /** Where the values lie that do not come along; places of the buffer that `scanObject` gives for the object. */
  private leftOut(num: number): (readonly [number, number])[] {
    const { file, scan } = this;
    if (!file.scanObject(num, scan, KEYS)) return [];
    const found: (readonly [number, number])[] = [];
    for (let i = 0; i < scan.keyCount; i += 3) {
      const [start = 0, end = 0, valueEnd = 0] = scan.keys.subarray(i, i + 3);
      if (LEFT_OUT.some((key) => isKey(file.buf, start, end, key))) found.push([end, valueEnd]);
    }
    return found;
  }

  private note(ref: number): void {
    if (this.used === this.flat.length) {
      const larger = new Int32Array(this.flat.length * 2);
      larger.set(this.flat);
      this.flat = larger;
    }
    this.flat[this.used++] = ref;
  }
}

/** Names may have characters written as `#` and two digits (ISO 32000-1, 7.3.5). */
function spelledOut(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/#([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
