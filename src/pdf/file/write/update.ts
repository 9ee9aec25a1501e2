// Changes that are appended (ISO 32000-1, 7.5.6): the file as it is, byte for byte, then the objects that are new and a
// table of those. What was signed before stays as it was signed.
import type { Draft } from '../../../contract/ports.ts';
import { latin1 } from '../../syntax/characters.ts';
import { hexString, serialize } from '../../syntax/serialize.ts';
import { Dict, PdfString, type Value } from '../../syntax/values.ts';
import type { RandomBytes } from '../crypt/encryption.ts';
import type { Pace } from '../read/pace.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { PLAIN } from '../read/xref-table.ts';
import { xrefRows } from './xref-rows.ts';

const BLOCK = 1024 * 1024;
/** Entries of a trailer that hold for the new revision too. */
const KEPT = ['Root', 'Info', 'Encrypt'];

/** Whether an update can build on a file: it can be read as it stands, and each of these pages is an object of its own. */
export function canAppend({ file, tree, scanned }: Source, pages: readonly Page[]): boolean {
  if (scanned || file.repairs.size > 0 || file.decryption !== undefined) return false;
  const nums = new Set(pages.map(({ num }) => num));
  return !nums.has(0) && tree.pages.filter(({ num }) => nums.has(num)).length <= pages.length;
}

/** A new revision that is being written. */
export class Update {
  private readonly file: PdfFile;
  private readonly draft: Pick<Draft, 'write'>;
  private readonly random: RandomBytes | undefined;
  private readonly places = new Map<number, number>();
  private at = 0;
  private next: number;

  private constructor(file: PdfFile, draft: Pick<Draft, 'write'>, random: RandomBytes | undefined) {
    this.file = file;
    this.draft = draft;
    this.random = random;
    this.next = file.xref.size;
  }

  /** Begins with all of the file. `random`: for objects that are added to an encrypted one. */
  static async begin(
    file: PdfFile,
    draft: Pick<Draft, 'write'>,
    pace: Pace,
    random?: RandomBytes | undefined,
  ): Promise<Update> {
    const update = new Update(file, draft, random);
    for (let position = 0; position < file.size; position += BLOCK) {
      const block = new Uint8Array(Math.min(BLOCK, file.size - position));
      update.write(block.subarray(0, file.windows.read(block, position)));
      await pace.yield();
    }
    update.text('\n');
    return update;
  }

  allocate(): number {
    this.next += 1;
    return this.next - 1;
  }

  /** Whether an object was written already. */
  has(num: number): boolean {
    return this.places.has(num);
  }

  /** An object as text of one byte a character. */
  object(num: number, text: string): void {
    this.begin(num);
    this.text(`${text}\nendobj\n`);
  }

  get position(): number {
    return this.at;
  }

  /** An object that stands for itself, its strings encrypted where the file is. */
  value(num: number, value: Value): void {
    this.object(num, this.valueText(num, value));
  }

  /** A value of an object as text, its strings encrypted where the file is. */
  valueText(num: number, value: Value): string {
    return serialize(this.locked(num, value), (ref) => `${ref.num} ${ref.gen} R`);
  }

  private locked(num: number, value: Value): Value {
    if (this.file.decryption === undefined) return value;
    if (value instanceof PdfString) return new PdfString(this.encrypted('strings', num, value.bytes));
    if (Array.isArray(value)) return value.map((item) => this.locked(num, item));
    if (!(value instanceof Dict)) return value;
    return new Dict([...value].map(([key, item]) => [key, this.locked(num, item)]));
  }

  private encrypted(kind: 'strings' | 'streams', num: number, bytes: Uint8Array): Uint8Array {
    const { decryption } = this.file;
    if (decryption === undefined) return bytes;
    if (this.random === undefined) throw new TypeError('nothing is added to an encrypted file without random bytes');
    return decryption.encrypted(kind, bytes, [num, generation(this.file, num)], this.random);
  }

  /** A stream; `dict` is the inside of its dictionary without /Length. */
  stream(num: number, dict: string, plain: Uint8Array): void {
    const data = this.encrypted('streams', num, plain);
    this.begin(num);
    this.text(`<<${dict}/Length ${data.length}>>stream\n`);
    this.write(data);
    this.text('\nendstream\nendobj\n');
  }

  /** A whole stream object as it was written for a file without encryption: its dictionary, `stream` and its data. */
  streamObject(num: number, written: Uint8Array): void {
    const text = Buffer.from(written.buffer, written.byteOffset, written.length);
    const start = text.indexOf('>>stream\n');
    const dict = text.toString('latin1', 2, start).replace(/\/Length \d+$/, '');
    this.stream(num, dict, text.subarray(start + 9, text.length - '\nendstream'.length));
  }

  /** `id`: for /ID, in hexadecimal. */
  finish(id: string): void {
    const { file, places, next } = this;
    if (places.size === 0) return;
    const start = this.at - file.xref.shift;
    const streamed = file.xref.trailer.name('Type') === 'XRef';
    this.text(streamed ? xrefStream(file, places, next, start, id) : xrefTable(file, places, next, id));
    this.text(`startxref\n${start}\n%%EOF\n`);
  }

  private begin(num: number): void {
    this.places.set(num, this.at - this.file.xref.shift);
    this.text(`${num} ${generation(this.file, num)} obj\n`);
  }

  private write(bytes: Uint8Array): void {
    this.draft.write(bytes);
    this.at += bytes.length;
  }

  private text(text: string): void {
    this.write(Buffer.from(text, 'latin1'));
  }
}

function generation({ xref }: PdfFile, num: number): number {
  return num < xref.size && xref.kind[num] === PLAIN ? (xref.index[num] ?? 0) : 0;
}

function xrefTable(file: PdfFile, places: ReadonlyMap<number, number>, size: number, id: string): string {
  const sections = runs(places).map((nums) => {
    const rows = nums.map((num) => {
      const gen = String(generation(file, num)).padStart(5, '0');
      return `${String(places.get(num)).padStart(10, '0')} ${gen} n \n`;
    });
    return `${nums[0]} ${nums.length}\n${rows.join('')}`;
  });
  return `xref\n${sections.join('')}trailer\n<</Size ${size}${trailer(file, id)}>>\n`;
}

function xrefStream(
  file: PdfFile,
  places: ReadonlyMap<number, number>,
  size: number,
  start: number,
  id: string,
): string {
  const all = new Map([...places, [size, start]]);
  const sections = runs(all);
  const nums = sections.flat();
  const entries = {
    kind: new Uint8Array(nums.length + 1).fill(PLAIN),
    place: Float64Array.from([0, ...nums.map((num) => all.get(num)!)]),
    index: new Uint16Array(nums.length + 1),
  };
  const wide = start > 0xffffffff ? 6 : 4;
  // Object 0 stays free.
  const rows = xrefRows(entries, [1, nums.length], { wide, last: 1 }, false);
  const index = sections.map((run) => `${run[0]} ${run.length}`).join(' ');
  const dict = `<</Type/XRef/Size ${size + 1}/W[1 ${wide} 1]/Index[${index}]${trailer(file, id)}/Length ${rows.length}>>`;
  return `${size} 0 obj\n${dict}stream\n${latin1(rows, 0, rows.length)}\nendstream\nendobj\n`;
}

function trailer({ xref }: PdfFile, id: string): string {
  const text = (value: Value): string => serialize(value, (ref) => `${ref.num} ${ref.gen} R`);
  const kept = KEPT.flatMap((key) => {
    const value = xref.trailer.get(key);
    return value === undefined ? [] : [`/${key} ${text(value)}`];
  });
  const ids = xref.trailer.get('ID');
  const first = Array.isArray(ids) && ids[0] instanceof PdfString ? hexString(ids[0].bytes) : `<${id}>`;
  return `${kept.join('')}/ID[${first}<${id}>]/Prev ${xref.start}`;
}

/** Object numbers in order, those that follow one another together. */
function runs(places: ReadonlyMap<number, number>): number[][] {
  const nums = [...places.keys()].sort((a, b) => a - b);
  const found: number[][] = [];
  for (const num of nums) {
    const last = found.at(-1);
    if (last?.at(-1) === num - 1) last.push(num);
    else found.push([num]);
  }
  return found;
}
