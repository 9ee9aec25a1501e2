import { crc32 } from 'node:zlib';
import type { Pace } from '../../file/read/pace.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { COMPRESSED } from '../../file/read/xref-table.ts';
import { latin1 } from '../../syntax/characters.ts';
import { decodeName } from '../../syntax/parser.ts';
import { KEYS, type Scan, type Span } from '../../syntax/scan.ts';
import { Ref } from '../../syntax/values.ts';

/** Private data of programs, and thumbnails: nothing shows them (ISO 32000-1, 14.5 and 12.3.4). */
export const LEFT_OUT = ['PieceInfo', 'Thumb'];

/** Properties of an object that its bytes show, as bits. */
export const TRIMMED = 1;
export const DESCRIPTOR = 2;
export const FONT = 4;
export const STREAM = 8;
export const PAGE = 16;
export const COMPOSITE = 32;
export const DRAWN_GLYPHS = 64;

const MARKS: readonly [name: string, bit: number][] = [
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
  /** Bits of the object; 0 where there is no such object. */
  marks(num: number): number;
  /** Stored length of each stream, by number. */
  readonly lengths: ReadonlyMap<number, number>;
  /** The checksum of the object, with references by number. */
  sum(num: number): number;
  reached(num: number): boolean;
  refs(num: number): Int32Array;
}

/** References that are not followed: from one object to others, and to some objects from anywhere. */
export interface Cut {
  readonly from: ReadonlyMap<number, ReadonlySet<number>>;
  readonly to: ReadonlySet<number>;
}

/** Follows every reference from the catalog and the document information. */
export async function survey(file: PdfFile, pace: Pace): Promise<Survey> {
  const walk = new Walk(file, file.xref.size);
  for (const num of roots(file)) walk.meet(num);
  await walk.run(pace);
  return walk.result();
}

/** The objects still reached without the references of `cut`. */
export function without(cut: Cut, survey: Survey, file: PdfFile): Survey {
  const met = new Set<number>();
  const todo = roots(file);
  for (let num = todo.pop(); num !== undefined; num = todo.pop()) {
    if (met.has(num) || !survey.reached(num)) continue;
    met.add(num);
    const from = cut.from.get(num);
    for (const ref of survey.refs(num)) if (from?.has(ref) !== true && !cut.to.has(ref)) todo.push(ref);
  }
  const objects = survey.objects.filter((num) => met.has(num));
  const lengths = new Map([...survey.lengths].filter(([num]) => met.has(num)));
  return { ...survey, objects, lengths, reached: (num) => met.has(num) };
}

function roots({ xref: { trailer } }: PdfFile): number[] {
  return ['Root', 'Info'].flatMap((key) => {
    const value = trailer.get(key);
    return value instanceof Ref ? [value.num] : [];
  });
}

/** A checksum of a scanned object. `of`: maps the number of an object that it refers to. */
export function checksum({ bytes, start, end, edits }: Scan, of: (num: number) => number): number {
  let sum = 0;
  let from = start;
  for (let i = 0; i < edits.length; i += 3) {
    const what = edits[i + 2] ?? 0;
    sum = crc32(bytes.subarray(from, edits[i] ?? 0), sum);
    from = edits[i + 1] ?? 0;
    if (what >= 0) sum = Math.imul(sum ^ of(what), 0x9e3779b1) >>> 0;
  }
  return crc32(bytes.subarray(from, end), sum);
}

class Walk {
  private readonly file: PdfFile;
  private readonly marks: Uint8Array;
  private readonly sums: Uint32Array;
  private readonly met: Uint8Array;
  private readonly lengths = new Map<number, number>();
  private readonly objects: number[] = [];
  private todo: number[] = [];
  /** References of all objects, one after another; and for each object where they begin and how many there are. */
  private flat = new Int32Array(4096);
  private used = 0;
  private readonly first: Int32Array;
  private readonly count: Int32Array;

  constructor(file: PdfFile, size: number) {
    this.file = file;
    this.marks = new Uint8Array(size);
    this.sums = new Uint32Array(size);
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
        if (pace.isOver()) await pace.yield();
      }
    }
    this.objects.sort((a, b) => key(a) - key(b));
  }

  result(): Survey {
    const { objects, marks, lengths, sums, met, flat, first, count } = this;
    const reached = (num: number) => met[num] === 1;
    return {
      objects,
      marks: (num) => marks[num] ?? 0,
      lengths,
      sum: (num) => sums[num] ?? 0,
      reached,
      refs(num) {
        const start = first[num] ?? 0;
        return flat.subarray(start, start + (count[num] ?? 0));
      },
    };
  }

  private keys(): (num: number) => number {
    const { kind, place, index } = this.file.xref;
    return (num) => {
      const at = place[num] ?? 0;
      return kind[num] === COMPRESSED ? (place[at] ?? 0) + (index[num] ?? 0) / 0x100000 : at;
    };
  }

  private visit(num: number): void {
    const { file } = this;
    this.objects.push(num);
    const first = this.used;
    this.first[num] = first;
    const object = file.scanObject(num);
    if (object === undefined) return;
    const text = latin1(object.bytes, object.start, object.end);
    let marks = object.isStream ? STREAM : 0;
    // Names may have characters written as # and two digits (ISO 32000-1, 7.3.5).
    const spelt = decodeName(text);
    for (const [name, bit] of MARKS) if (text.includes(name) || spelt.includes(name)) marks |= bit;
    this.marks[num] = marks;
    this.sums[num] = checksum(object, (num) => num);
    const trimmed = (marks & TRIMMED) === 0 ? [] : this.leftOut(num);
    if (object.isStream) this.lengths.set(num, file.streamPlace(num, object).length);
    for (const [at, ref] of object.placedReferences()) {
      if (trimmed.some(({ start, end }) => at >= start && at < end)) continue;
      this.meet(ref);
      this.note(ref);
    }
    this.count[num] = this.used - first;
  }

  /** The ranges of left-out values, in the bytes of the object. */
  private leftOut(num: number): Span[] {
    const object = this.file.scanObject(num, KEYS);
    if (object === undefined) return [];
    return [...object.entries()].filter(([key]) => LEFT_OUT.includes(key)).map(([, place]) => place);
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
