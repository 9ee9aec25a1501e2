// Appends changes (ISO 32000-1, 7.5.6): the file byte for byte, then new objects and their table. Signatures hold.
import type { Draft } from '../../../contract/base/ports.ts';
import { lastOf, type NonEmpty, runsOf } from '../../syntax/arrays.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { hexString, serialize } from '../../syntax/serialize.ts';
import { Dict, PdfString, type Value } from '../../syntax/values.ts';
import type { RandomBytes } from '../crypt/encryption.ts';
import type { Pace } from '../read/pace.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { PLAIN } from '../read/xref-table.ts';
import { Writer } from './writer.ts';
import { xrefRows } from './xref-rows.ts';

const BLOCK = 1024 * 1024;
const FIRST_HOLD = 4096;
const [STREAM, ENDSTREAM] = ['stream\n', '\nendstream'];

/** Whether an update can build on a file: it reads as it stands, and each of these pages is an object of its own. */
export function canAppend({ file, tree, scanned }: Source, pages: readonly Page[]): boolean {
  if (scanned || file.repairs.size > 0 || file.decryption !== undefined) return false;
  const nums = new Set(pages.map(({ num }) => num));
  return !nums.has(0) && tree.pages.filter(({ num }) => nums.has(num)).length <= pages.length;
}

/** Copies the whole file into a draft. */
export async function copyFile(file: PdfFile, draft: Pick<Draft, 'write'>, pace: Pace): Promise<void> {
  for (let position = 0; position < file.size; position += BLOCK) {
    const block = new Uint8Array(Math.min(BLOCK, file.size - position));
    draft.write(block.subarray(0, file.windows.read(block, position)));
    await pace.yield();
  }
}

/** A new revision in the making: its objects replace those of the same numbers. In an encrypted file they are encrypted. */
export class Update extends Writer {
  private readonly file: PdfFile;
  private readonly random: RandomBytes | undefined;
  private num = 0;

  private constructor(file: PdfFile, draft: Pick<Draft, 'write'>, random: RandomBytes | undefined, size: number) {
    super(draft, { objectStreams: false });
    this.file = file;
    this.random = random;
    this.next = size;
    this.rows.reserve(this.next);
    this.flushed = file.size;
  }

  /** Begins with a copy of the file. `random`: for objects of an encrypted file. `size`: lower numbers are taken. */
  static async begin(
    file: PdfFile,
    draft: Pick<Draft, 'write'>,
    pace: Pace,
    random?: RandomBytes | undefined,
    size = file.xref.size,
  ): Promise<Update> {
    await copyFile(file, draft, pace);
    return new Update(file, draft, random, size);
  }

  override generation(num: number): number {
    const { xref } = this.file;
    return num < xref.size && xref.kind[num] === PLAIN ? (xref.index[num] ?? 0) : 0;
  }

  override reference(num: number): void {
    this.text(`${num} ${this.generation(num)} R`);
  }

  has(num: number): boolean {
    return this.rows.kind[num] === PLAIN;
  }

  override begin(num: number, stream: boolean): void {
    this.leaveLastLine();
    this.num = num;
    super.begin(num, stream);
    if (this.file.decryption === undefined) return;
    this.fileOut = this.out;
    this.fileAt = this.at;
    this.out = new Uint8Array(FIRST_HOLD);
    this.at = 0;
  }

  /** Begins a line: %%EOF is a comment, which would take in what follows. An update of nothing adds nothing (PDF/A). */
  private leaveLastLine(): void {
    if (this.count === 0) this.text('\n');
  }

  override end(): Promise<void> | undefined {
    if (this.fileOut !== undefined) {
      const held = this.out.subarray(0, this.at);
      this.out = this.fileOut;
      this.at = this.fileAt;
      this.fileOut = undefined;
      this.encryptedObject(held);
    }
    return super.end();
  }

  private encryptedObject(held: Uint8Array): void {
    const parser = new Parser(held);
    const value = parser.value();
    const isStream = value instanceof Dict && parser.keyword('stream');
    if (!isStream) {
      this.text(this.valueText(this.num, value));
      return;
    }
    const from = Buffer.from(held.buffer, held.byteOffset, held.length).indexOf(STREAM, parser.pos - STREAM.length);
    if (from < 0) throw new Damage(`the data of object ${this.num} do not begin`);
    const plain = held.subarray(from + STREAM.length, held.length - ENDSTREAM.length);
    const isPlain = this.file.decryption?.methodOf(value, undefined) === 'none';
    const data = isPlain ? plain : this.encrypted('streams', this.num, plain);
    value.set('Length', data.length);
    this.text(`${this.valueText(this.num, value)}${STREAM}`);
    this.bytes(data);
    this.text(ENDSTREAM);
  }

  /** Writes an object whose strings are encrypted already where the file is. */
  async raw(num: number, text: string): Promise<void> {
    this.leaveLastLine();
    super.begin(num, false);
    this.text(text);
    await super.end();
  }

  value(num: number, value: Value): void {
    this.object(num, serialize(value));
  }

  /** A value of an object as text, its strings encrypted where the file is. */
  valueText(num: number, value: Value): string {
    return serialize(this.locked(num, value));
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
    return decryption.encrypted(kind, bytes, [num, this.generation(num)], this.random);
  }

  /** Ends the revision; without any object there is none. `id`: for /ID, in hexadecimal. `info`: another document information. */
  async close(id: string, info?: string): Promise<void> {
    if (this.count === 0) this.flush();
    else await this.finish(trailerOf(this.file, id, info));
  }

  protected override xref(trailer: string): number {
    const start = this.position - this.file.xref.shift;
    if (this.file.xref.trailer.name('Type') === 'XRef') this.tableStream(trailer, start);
    else this.table(trailer);
    return start;
  }

  private table(trailer: string): void {
    const sections = this.runs().map((run) => {
      const rows = run.map((num) => {
        const place = (this.rows.place[num] ?? 0) - this.file.xref.shift;
        return `${String(place).padStart(10, '0')} ${String(this.generation(num)).padStart(5, '0')} n \n`;
      });
      return `${run[0]} ${rows.length}\n${rows.join('')}`;
    });
    this.text(`xref\n${sections.join('')}trailer\n<</Size ${this.next}${trailer}>>\n`);
  }

  private tableStream(trailer: string, start: number): void {
    const num = this.allocate();
    const { shift } = this.file.xref;
    this.rows.plain(num, start + shift);
    const sections = this.runs();
    const nums = sections.flat();
    const entries = {
      kind: new Uint8Array(nums.length + 1).fill(PLAIN),
      place: Float64Array.from([0, ...nums.map((one) => (this.rows.place[one] ?? 0) - shift)]),
      index: new Uint16Array(nums.length + 1),
    };
    const wide = start > 0xffffffff ? 6 : 4;
    // Object 0 stays free.
    const rows = xrefRows(entries, [1, nums.length], { wide, last: 1 }, false);
    const index = sections.map((run) => `${run[0]} ${run.length}`).join(' ');
    this.text(`${num} 0 obj\n<</Type/XRef/Size ${this.next}/W[1 ${wide} 1]/Index[${index}]${trailer}`);
    this.streamOf(rows, '');
  }

  /** Numbers of the objects that were written, those that follow one another together. */
  private runs(): NonEmpty<number>[] {
    const nums: number[] = [];
    for (let num = 1; num < this.next; num++) if (this.has(num)) nums.push(num);
    return runsOf(nums, (num, run) => num === lastOf(run) + 1);
  }
}

/** The trailer of a new revision of a file, without /Size. */
function trailerOf({ xref }: PdfFile, id: string, info: string | undefined): string {
  const kept = ['Root', 'Info', 'Encrypt'].flatMap((key) => {
    const value = xref.trailer.get(key);
    if (key === 'Info' && info !== undefined) return [`/Info ${info}`];
    return value === undefined ? [] : [`/${key} ${serialize(value)}`];
  });
  const ids = xref.trailer.get('ID');
  const first = Array.isArray(ids) && ids[0] instanceof PdfString ? hexString(ids[0].bytes) : `<${id}>`;
  return `${kept.join('')}/ID[${first}<${id}>]/Prev ${xref.start}`;
}
