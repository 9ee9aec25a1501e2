// A change that is appended (ISO 32000-1, 7.5.6): the file as it is, byte for byte, then the objects that are new and a
// table of those. What was signed before stays as it was signed.
import { Failure } from '../../contract/failure.ts';
import type { Draft } from '../../contract/ports.ts';
import type { Pace } from '../pace.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { PLAIN } from '../read/xref-table.ts';
import { latin1 } from '../syntax/characters.ts';
import { Damage } from '../syntax/damage.ts';
import { isKey, KEYS } from '../syntax/scan.ts';
import { hexString, serialize } from '../syntax/serialize.ts';
import { PdfString, type Value } from '../syntax/values.ts';
import { xrefRows } from './xref-rows.ts';

const BLOCK = 1024 * 1024;
/** Entries of a trailer that hold for the new revision too. */
const KEPT = ['Root', 'Info'];

/** Appends these pages with the degrees that `rotate` gives; undefined: no /Rotate of its own. `id`: for /ID, in hexadecimal. */
export async function appendRotation(
  source: Source,
  draft: Draft,
  id: string,
  pace: Pace,
  pages: readonly Page[],
  rotate: (page: Page) => number | undefined,
): Promise<void> {
  const { file } = source;
  refuseUnfit(source, pages);
  const out = new Appended(draft);
  for (let position = 0; position < file.size; position += BLOCK) {
    const block = new Uint8Array(Math.min(BLOCK, file.size - position));
    out.write(block.subarray(0, file.windows.read(block, position)));
    await pace.yield();
  }
  out.text('\n');
  const places = new Map<number, number>();
  for (const page of pages) {
    const { num } = page;
    if (places.has(num)) continue;
    places.set(num, out.at - file.xref.shift);
    out.text(`${num} ${generation(file, num)} obj\n${withRotate(file, num, rotate(page))}\nendobj\n`);
    if (pace.isOver()) await pace.yield();
  }
  const start = out.at - file.xref.shift;
  const streamed = file.xref.trailer.name('Type') === 'XRef';
  out.text(streamed ? xrefStream(file, places, start, id) : xrefTable(file, places, id));
  out.text(`startxref\n${start}\n%%EOF\n`);
}

/** Bytes that go to a draft, and how many they are. */
class Appended {
  at = 0;
  private readonly draft: Draft;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  write(bytes: Uint8Array): void {
    this.draft.write(bytes);
    this.at += bytes.length;
  }

  /** One byte a character. */
  text(text: string): void {
    this.write(Buffer.from(text, 'latin1'));
  }
}

/** An update builds on a file that can be read as it stands; what had to be repaired must be written anew. */
function refuseUnfit({ file, tree, scanned }: Source, pages: readonly Page[]): void {
  const hint = 'Leave --incremental out: the file is then written anew.';
  if (scanned || file.repairs.size > 0 || tree.pages.some(({ num }) => num === 0)) {
    throw new Failure('unprocessable', `${file.name} is damaged, so nothing can be appended to it`, {
      kind: 'damaged',
      hint,
    });
  }
  const nums = new Set(pages.map(({ num }) => num));
  if (tree.pages.filter(({ num }) => nums.has(num)).length > pages.length) {
    throw new Failure('unprocessable', `${file.name} has pages that are one object, so one cannot be changed alone`, {
      hint,
    });
  }
  if (file.decryption !== undefined) {
    throw new Failure('unprocessable', `${file.name} is encrypted, and pdftool appends only to files that are not`, {
      kind: 'encrypted',
      hint: `${hint.slice(0, -1)}, decrypted.`,
    });
  }
}

/** The page's dictionary with another /Rotate, everything else as it stands. */
function withRotate(file: PdfFile, num: number, degrees: number | undefined): string {
  const page = file.scanObject(num, KEYS);
  if (page === undefined) throw new Damage(`page object ${num} is missing`);
  const { bytes, start, end, keys } = page;
  // In front of all others: the last key may have no value and would take /Rotate for it.
  let text = `<<${degrees === undefined ? '' : `/Rotate ${degrees} `}`;
  let from = start + 2;
  for (let i = 0; i < keys.length; i += 3) {
    if (!isKey(bytes, keys[i]!, keys[i + 1]!, 'Rotate')) continue;
    text += latin1(bytes, from, keys[i]!);
    from = keys[i + 2]!;
  }
  return text + latin1(bytes, from, end);
}

function generation({ xref }: PdfFile, num: number): number {
  return xref.kind[num] === PLAIN ? xref.index[num]! : 0;
}

function xrefTable(file: PdfFile, places: ReadonlyMap<number, number>, id: string): string {
  const sections = runs(places).map((nums) => {
    const rows = nums.map((num) => {
      const gen = String(generation(file, num)).padStart(5, '0');
      return `${String(places.get(num)).padStart(10, '0')} ${gen} n \n`;
    });
    return `${nums[0]} ${nums.length}\n${rows.join('')}`;
  });
  return `xref\n${sections.join('')}trailer\n<</Size ${file.xref.size}${trailer(file, id)}>>\n`;
}

function xrefStream(file: PdfFile, places: ReadonlyMap<number, number>, start: number, id: string): string {
  const { size } = file.xref;
  const all = new Map([...places, [size, start]]);
  const sections = runs(all);
  const nums = sections.flat();
  const entries = {
    kind: new Uint8Array(nums.length + 1).fill(PLAIN),
    place: Float64Array.from([0, ...nums.map((num) => all.get(num)!)]),
    index: new Uint16Array(nums.length + 1),
  };
  const wide = start > 0xffffffff ? 6 : 4;
  // Of object 0 nothing new is to be said.
  const rows = xrefRows(entries, [1, nums.length], { wide, last: 1 }, false);
  const index = sections.map((run) => `${run[0]} ${run.length}`).join(' ');
  const dict = `<</Type/XRef/Size ${size + 1}/W[1 ${wide} 1]/Index[${index}]${trailer(file, id)}/Length ${rows.length}>>`;
  return `${size} 0 obj\n${dict}stream\n${latin1(rows, 0, rows.length)}\nendstream\nendobj\n`;
}

/** What the trailer of the new revision says besides /Size. */
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
