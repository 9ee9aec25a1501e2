// A document laid out so that its first page can be shown while the rest is on its way (ISO 32000-1, Annex F).
//
// Places must be written in front of what they are the places of, so the work has three steps: `writeObjects` numbers the objects
// and writes them into a temporary file, which gives their lengths; `layOut` computes every place from the lengths, without
// writing; `linearize` then writes the output from front to back. Texts that hold places have the same length for all values.
import { deflateSync } from 'node:zlib';
import type { Draft, RandomAccess } from '../../contract/base/ports.ts';
import { versionOf } from '../file/copy/assemble.ts';
import { Copier } from '../file/copy/copier.ts';
import type { Pace } from '../file/read/pace.ts';
import type { Source } from '../file/read/source.ts';
import { Writer } from '../file/write/writer.ts';
import { xrefLine } from '../file/write/xref-rows.ts';
import { Ref } from '../syntax/values.ts';
import { type HintFacts, hintsOf } from './hints.ts';
import { type Parts, partsOf } from './parts.ts';

const BLOCK = 1024 * 1024;
const ROW = xrefLine(true, 0).length;

/** Writes the document. `source`: its pages carry what they inherit. `temp`: for objects, whose lengths come first. */
export async function linearize(source: Source, draft: Draft, temp: Draft, id: string, pace: Pace): Promise<void> {
  const parts = await partsOf(source, pace);
  const written = await writeObjects(source, parts, temp, pace);
  const { copier, headerLength, openingLength, firstLength, lateLength, linearization } = written;
  const info = source.file.xref.trailer.get('Info');
  const root = copier.reference(parts.opening[0] ?? 0);
  const entries = `/Root ${root}${info instanceof Ref ? `/Info ${copier.reference(info.num)}` : ''}/ID[<${id}><${id}>]`;
  const trailer = (size: number, prev = ''): string => `trailer\n<</Size ${size}${entries}${prev}>>\n`;
  const firstTrailer = (mainTable: number): string =>
    `${trailer(written.total, `/Prev ${String(mainTable).padEnd(12)}`)}startxref\n0\n%%EOF\n`;
  /** The dictionary, padded to the same length for all values. */
  const parameters = (dict: string): string => `${linearization} 0 obj\n${dict.padEnd(150)}\nendobj\n`;

  const firstTable = {
    at: headerLength + parameters('').length,
    rows: parts.opening.length + parts.firstPage.length + 2,
  };
  const firstTableHead = `xref\n${linearization} ${firstTable.rows}\n`;
  const openingAt = firstTable.at + firstTableHead.length + firstTable.rows * ROW + firstTrailer(0).length;
  const places = placesOf(parts, written, openingAt);
  const hintAt = openingAt + openingLength;
  const hints = hintStream(parts, written, places, hintAt);
  /** The position of an object in the output: places do not count the hints in front of the first page. */
  const at = (num: number): number => {
    const place = places.get(num) ?? 0;
    return place >= hintAt ? place + hints.length : place;
  };
  const lateAt = hintAt + hints.length + firstLength;
  const mainAt = lateAt + lateLength;
  const mainHead = `xref\n0 ${linearization}`;
  const mainTail = `${trailer(linearization)}startxref\n${firstTable.at}\n%%EOF\n`;

  const out = new Writer(draft, { objectStreams: false });
  const copy = async (from: number, length: number): Promise<void> => {
    for (let done = 0; done < length; done += BLOCK) {
      const at = from + done;
      out.copy(Math.min(BLOCK, length - done), (into, more) => written.objects.read(into, at + more));
      await pace.yield();
    }
  };
  await copy(0, headerLength);
  const length = mainAt + mainHead.length + 1 + linearization * ROW + mainTail.length;
  const first = `/O ${copier.ref(parts.firstPage[0] ?? 0)}/E ${lateAt}/N ${source.tree.pages.length}`;
  // /T leads to the white space in front of the first line of the main table.
  const table = mainAt + mainHead.length;
  out.text(parameters(`<</Linearized 1/L ${length}/H[${hintAt} ${hints.length}]${first}/T ${table}>>`));
  out.text(firstTableHead);
  const rows = [headerLength, ...parts.opening.map(at), hintAt, ...parts.firstPage.map(at)];
  for (const row of rows) out.text(xrefLine(true, row));
  out.text(firstTrailer(mainAt));
  await copy(headerLength, openingLength);
  out.bytes(hints);
  await copy(headerLength + openingLength, firstLength + lateLength);
  out.text(`${mainHead}\n`);
  out.text(xrefLine(false, 0));
  for (const num of written.late) out.text(xrefLine(true, at(num)));
  out.text(mainTail);
  out.flush();
}

/** The objects in a temporary file, in the order of the output: a header, the opening, the first page, all else. */
interface Written {
  readonly copier: Copier;
  readonly objects: RandomAccess;
  /** Bytes of each object, by its number in the source. */
  readonly sizes: ReadonlyMap<number, number>;
  /** The objects behind the first page. */
  readonly late: readonly number[];
  readonly headerLength: number;
  readonly openingLength: number;
  readonly firstLength: number;
  readonly lateLength: number;
  /** Numbers of the linearization dictionary and of the hints, and one more than the largest. */
  readonly linearization: number;
  readonly hintNumber: number;
  readonly total: number;
}

async function writeObjects({ file }: Source, parts: Parts, temp: Draft, pace: Pace): Promise<Written> {
  const late = [...parts.pages.flat(), ...parts.shared, ...(parts.outlinesFirst ? [] : parts.outlines), ...parts.rest];
  const writer = new Writer(temp, { version: versionOf(file), objectStreams: false });
  const headerLength = writer.position;
  const copier = new Copier(file, writer);
  copier.note = 0;
  // Objects that come last have the lowest numbers (F.3.4), so that the first table is one section.
  for (const num of late) copier.assign(num, writer.allocate());
  const linearization = writer.allocate();
  for (const num of parts.opening) copier.assign(num, writer.allocate());
  const hintNumber = writer.allocate();
  for (const num of parts.firstPage) copier.assign(num, writer.allocate());
  const total = hintNumber + parts.firstPage.length + 1;

  const sizes = new Map<number, number>();
  const write = async (nums: readonly number[]): Promise<number> => {
    const start = writer.position;
    for (const num of nums) {
      const before = writer.position;
      const ended = copier.now(num);
      if (ended !== undefined) await ended;
      sizes.set(num, writer.position - before);
      if (pace.isOver()) await pace.yield();
    }
    return writer.position - start;
  };
  const openingLength = await write(parts.opening);
  const firstLength = await write(parts.firstPage);
  const lateLength = await write(late);
  writer.flush();
  const lengths = { headerLength, openingLength, firstLength, lateLength };
  return { copier, objects: temp.finish(), sizes, late, ...lengths, linearization, hintNumber, total };
}

/** Places by object, as if there were no hints. */
type Places = ReadonlyMap<number, number>;

function placesOf(parts: Parts, { late, sizes }: Written, openingAt: number): Places {
  const places = new Map<number, number>();
  let at = openingAt;
  for (const num of [...parts.opening, ...parts.firstPage, ...late]) {
    places.set(num, at);
    at += sizes.get(num) ?? 0;
  }
  return places;
}

function hintStream(parts: Parts, { copier, sizes, hintNumber }: Written, places: Places, hintAt: number): Uint8Array {
  const sizeOf = (num: number): number => sizes.get(num) ?? 0;
  const sum = (nums: readonly number[]): number => nums.reduce((all, num) => all + sizeOf(num), 0);
  const located = (num: number) => ({ num: copier.ref(num), at: places.get(num) ?? 0 });
  const shared = [...parts.firstPage, ...parts.shared];
  const indexes = new Map(shared.map((num, i) => [num, i]));
  const [firstShared] = parts.shared;
  const [firstOutline] = parts.outlines;
  const facts: HintFacts = {
    firstPageAt: hintAt,
    pages: [parts.firstPage, ...parts.pages].map((nums) => ({ objects: nums.length, length: sum(nums) })),
    sharedBy: parts.sharedBy.map((nums) => nums.map((num) => indexes.get(num) ?? 0)),
    shared: shared.map(sizeOf),
    sharedOfFirst: parts.firstPage.length,
    firstShared: firstShared === undefined ? undefined : located(firstShared),
    outlines:
      firstOutline === undefined
        ? undefined
        : { ...located(firstOutline), objects: parts.outlines.length, length: sum(parts.outlines) },
  };
  const { data, sharedAt, outlinesAt } = hintsOf(facts);
  const packed = deflateSync(data);
  const outlines = outlinesAt === undefined ? '' : `/O ${outlinesAt}`;
  const dict = `<</Filter/FlateDecode/S ${sharedAt}${outlines}/Length ${packed.length}>>`;
  const head = Buffer.from(`${hintNumber} 0 obj\n${dict}stream\n`);
  return Buffer.concat([head, packed, Buffer.from('\nendstream\nendobj\n')]);
}
