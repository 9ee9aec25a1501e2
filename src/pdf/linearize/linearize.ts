// A document laid out so that its first page can be shown while the rest is on its way (ISO 32000-1, Annex F).
import { deflateSync } from 'node:zlib';
import type { Draft, RandomAccess } from '../../contract/ports.ts';
import { versionOf } from '../copy/assemble.ts';
import { Copier } from '../copy/copier.ts';
import type { Pace } from '../pace.ts';
import type { Source } from '../read/source.ts';
import { Ref } from '../syntax/values.ts';
import { Writer } from '../write/writer.ts';
import { xrefLine } from '../write/xref-rows.ts';
import { hintsOf } from './hints.ts';
import { partsOf } from './parts.ts';

const BLOCK = 1024 * 1024;

/**
 * Writes the document into a draft that is not finished. `source`: with what pages inherit in each of them (a flat tree).
 * `temp`: for the objects, whose lengths must be known before what stands in front of them. `id`: for /ID, in hexadecimal.
 */
export async function linearize(source: Source, draft: Draft, temp: Draft, id: string, pace: Pace): Promise<void> {
  const { file } = source;
  const parts = await partsOf(source, pace);
  const late = [...parts.pages.flat(), ...parts.shared, ...(parts.outlinesFirst ? [] : parts.outlines), ...parts.rest];
  // What comes last has the lowest numbers (F.3.4): then the first table is one section.
  const writer = new Writer(temp, { version: versionOf(file), objectStreams: false });
  const headerLength = writer.position;
  const copier = new Copier(file, writer);
  copier.note = 0;
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
  const objects = temp.finish();

  const sizeOf = (num: number): number => sizes.get(num) ?? 0;
  const sum = (nums: readonly number[]): number => nums.reduce((all, num) => all + sizeOf(num), 0);
  const early = parts.opening.length + parts.firstPage.length + 2;
  const table = (rows: number): number => rows * xrefLine(true, 0).length;
  const root = copier.reference(rootOf(source));
  const info = file.xref.trailer.get('Info');
  const documentInfo = info instanceof Ref ? `/Info ${copier.reference(info.num)}` : '';
  const trailer = (size: number, prev: number | undefined): string =>
    `trailer\n<</Size ${size}/Root ${root}${documentInfo}/ID[<${id}><${id}>]${prev === undefined ? '' : `/Prev ${padded(prev)}`}>>\n`;
  const firstTableHead = `xref\n${linearization} ${early}\n`;
  const firstTail = `${trailer(total, 0)}startxref\n0\n%%EOF\n`;
  const parameters = (values: Parameters): string => `${linearization} 0 obj\n${parametersOf(values)}\nendobj\n`;
  const none = { length: 0, hintAt: 0, hintLength: 0, first: 0, end: 0, pages: 0, table: 0 };

  // Everything up to the hints is as long whatever the numbers are.
  const firstTableAt = headerLength + parameters(none).length;
  const openingAt = firstTableAt + firstTableHead.length + table(early) + firstTail.length;
  const hintAt = openingAt + openingLength;
  // Places in hints do not count the hints themselves.
  const firstAt = hintAt;
  const lateAt = firstAt + firstLength;
  const places = new Map<number, number>();
  const place = (nums: readonly number[], start: number): void => {
    let at = start;
    for (const num of nums) {
      places.set(num, at);
      at += sizeOf(num);
    }
  };
  place(parts.opening, openingAt);
  place(parts.firstPage, firstAt);
  place(late, lateAt);

  const indexes = new Map([...parts.firstPage, ...parts.shared].map((num, i) => [num, i]));
  const [firstShared] = parts.shared;
  const [firstOutline] = parts.outlines;
  const hints = hintsOf({
    firstPageAt: firstAt,
    pages: [parts.firstPage, ...parts.pages].map((nums) => ({ objects: nums.length, length: sum(nums) })),
    sharedBy: parts.sharedBy.map((nums) => nums.map((num) => indexes.get(num) ?? 0)),
    shared: [...parts.firstPage, ...parts.shared].map(sizeOf),
    sharedOfFirst: parts.firstPage.length,
    firstShared:
      firstShared === undefined ? undefined : { num: copier.ref(firstShared), at: places.get(firstShared) ?? 0 },
    outlines:
      firstOutline === undefined
        ? undefined
        : {
            num: copier.ref(firstOutline),
            at: places.get(firstOutline) ?? 0,
            objects: parts.outlines.length,
            length: sum(parts.outlines),
          },
  });
  const packed = deflateSync(hints.data);
  const outlines = hints.outlinesAt === undefined ? '' : `/O ${hints.outlinesAt}`;
  const hintHead = `${hintNumber} 0 obj\n<</Filter/FlateDecode/S ${hints.sharedAt}${outlines}/Length ${packed.length}>>stream\n`;
  const hintTail = '\nendstream\nendobj\n';
  const hintLength = hintHead.length + packed.length + hintTail.length;

  const at = (num: number): number => {
    const found = places.get(num) ?? 0;
    return found >= hintAt ? found + hintLength : found;
  };
  const mainAt = lateAt + hintLength + lateLength;
  const mainHead = `xref\n0 ${linearization}`;
  const mainTail = `${trailer(linearization, undefined)}startxref\n${firstTableAt}\n%%EOF\n`;
  const length = mainAt + mainHead.length + 1 + table(linearization) + mainTail.length;
  const out = new Output(draft, objects, pace);
  await out.copy(0, headerLength);
  out.text(
    parameters({
      length,
      hintAt,
      hintLength,
      first: copier.ref(parts.firstPage[0] ?? 0),
      end: lateAt + hintLength,
      pages: source.tree.pages.length,
      // The white space in front of the first line of the main table.
      table: mainAt + mainHead.length,
    }),
  );
  out.text(firstTableHead);
  const rows = [headerLength, ...parts.opening.map(at), hintAt, ...parts.firstPage.map(at)];
  for (const row of rows) out.text(xrefLine(true, row));
  out.text(`${trailer(total, mainAt)}startxref\n0\n%%EOF\n`);
  await out.copy(headerLength, openingLength);
  out.text(hintHead);
  out.bytes(packed);
  out.text(hintTail);
  await out.copy(headerLength + openingLength, firstLength + lateLength);
  out.text(`${mainHead}\n`);
  out.text(xrefLine(false, 0));
  for (const num of late) out.text(xrefLine(true, at(num)));
  out.text(mainTail);
  out.flush();
}

function rootOf({ file }: Source): number {
  const root = file.xref.trailer.get('Root');
  if (!(root instanceof Ref)) throw new TypeError('a document that was read has a catalog');
  return root.num;
}

interface Parameters {
  readonly length: number;
  readonly hintAt: number;
  readonly hintLength: number;
  readonly first: number;
  readonly end: number;
  readonly pages: number;
  readonly table: number;
}

/** As long whatever the numbers are. */
function parametersOf({ length, hintAt, hintLength, first, end, pages, table }: Parameters): string {
  const text = `<</Linearized 1/L ${length}/H[${hintAt} ${hintLength}]/O ${first}/E ${end}/N ${pages}/T ${table}>>`;
  return text.padEnd(150);
}

/** A number in a fixed width: what follows must stay in its place. */
function padded(value: number): string {
  return String(value).padEnd(12);
}

class Output {
  private readonly draft: Draft;
  private readonly objects: RandomAccess;
  private readonly pace: Pace;
  private pieces: string[] = [];
  private held = 0;

  constructor(draft: Draft, objects: RandomAccess, pace: Pace) {
    this.draft = draft;
    this.objects = objects;
    this.pace = pace;
  }

  text(text: string): void {
    this.pieces.push(text);
    this.held += text.length;
    if (this.held > BLOCK) this.flush();
  }

  flush(): void {
    this.draft.write(Buffer.from(this.pieces.join(''), 'latin1'));
    this.pieces = [];
    this.held = 0;
  }

  bytes(bytes: Uint8Array): void {
    this.flush();
    this.draft.write(bytes);
  }

  async copy(from: number, length: number): Promise<void> {
    this.flush();
    for (let done = 0; done < length; ) {
      const block = new Uint8Array(Math.min(BLOCK, length - done));
      const got = this.objects.read(block, from + done);
      if (got === 0) throw new TypeError('the objects end before they should');
      this.draft.write(block.subarray(0, got));
      done += got;
      await this.pace.yield();
    }
  }
}
