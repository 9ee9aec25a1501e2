// Opens a file whose cross-reference table is lost or wrong.
//
// In: a file that is no PDF by its own table. Out: the file over a table made anew, with what was mended or made added
// behind its end (revision.ts). A damaged file may define a number several times, so candidates are made with several
// tables: the file's own as far as it is right, then the last, the first and the longest definition of each number. Each
// candidate gets a trailer, has its broken objects mended and its page tree made whole, and the best one is taken
// (`isBetter`): most pages, then fewest pages with wrong parts, then the count that the root states. Where no number is
// defined twice there is one candidate.
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { skipSpace } from '../../syntax/characters.ts';
import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { Dict, Ref } from '../../syntax/values.ts';
import { decodable, decode } from '../read/filters.ts';
import { type PageTree, readPages } from '../read/page-tree.ts';
import { behindHeader, PdfFile } from '../read/pdf-file.ts';
import { type AskPassword, unlock } from '../read/unlock.ts';
import { Windows } from '../read/windows.ts';
import { COMPRESSED, FREE, PLAIN, readXref, UNSET, XrefTable } from '../read/xref-table.ts';
import { guessesIn } from './guesses.ts';
import { isBrokenDict, mend, withoutEnd } from './mend.ts';
import { listedNumbers } from './missing-parts.ts';
import { type Straightened, straighten } from './page-slots.ts';
import { addCompressed, chooseTrailer, type Recovered, recoverTable } from './recover-table.ts';
import { freeNumber, Revision } from './revision.ts';

/** Bytes of a broken object that are read. */
const MOST_OF_OBJECT = 8 << 20;
/** Pages whose content is tried, and bytes that are decoded of each. */
const MOST_TRIED = 300;
const MOST_DECODED = 16 << 20;

interface Candidate {
  readonly file: PdfFile;
  readonly straightened: Straightened | undefined;
  readonly tree: PageTree;
  readonly mended: ReadonlySet<number>;
  readonly pages: number;
  readonly stated: number;
  /** Pages that have parts of the wrong kind. */
  readonly mixedUp: number;
}

/** `shift`: where the header stands. `wanted`: a page count that others agree on. Throws Damage without pages. */
export async function repair(
  source: RandomAccess,
  windows: Windows,
  shift: number,
  password: AskPassword | undefined,
  wanted?: number,
): Promise<PdfFile> {
  const { table, recovered } = recoverTable(windows, source.name);
  const candidates: Candidate[] = [];
  let first: unknown;
  let key: PdfFile | undefined;
  const ownXref = ownTable(windows, shift);
  const misnumbered = misnumberedIn(ownXref, table, recovered);
  for (const make of tablesOf(windows, ownXref, table, recovered)) {
    try {
      const revision = new Revision(source);
      let file = new PdfFile(source, windows, make);
      for (const trailer of recovered.trailers) for (const [name, value] of trailer) file.xref.trailer.set(name, value);
      if (misnumbered.size > 0) {
        putUnderTheirNumbers(file, recovered, ownXref, misnumbered, revision);
        file = reopened(file, revision);
      }
      if (key === undefined) await unlock(file, password);
      else shareKey(key, file);
      key ??= file;
      candidates.push(candidateOf(file, recovered, revision));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      first ??= error;
    }
  }
  const best = candidates.reduce<Candidate | undefined>((a, b) => (a && !isBetter(b, a, wanted) ? a : b), undefined);
  if (best === undefined) throw first;
  const { file, mended, pages, stated } = best;
  // The root may be lost in this candidate and present in another.
  file.promised = candidates.some((candidate) => candidate.stated === pages) ? pages : stated;
  file.mended = mended;
  file.guessed = best.straightened?.made === true && file.promised !== pages;
  tell(best);
  const numbers = new Map([...misnumbered].map(([num, { num: was }]) => [num, was]));
  for (const guess of guessesIn({ ...best, recovered, table: ownXref, misnumbered: numbers })) file.repairs.add(guess);
  return file;
}

/** The tables to try, likeliest first; a single one where no number is defined twice. */
function tablesOf(windows: Windows, stated: XrefTable | undefined, last: XrefTable, recovered: Recovered): XrefTable[] {
  const tables = [last];
  if (recovered.doubles) {
    if (stated !== undefined) tables.unshift(asFarAsRight(windows, stated, last));
    tables.push(tableOf(recovered, () => false));
    tables.push(tableOf(recovered, (now, before) => now.length > before.length));
  }
  return tables;
}

/** The file's own table, with each place moved to the number of its object: white space may stand before it. */
function ownTable(windows: Windows, shift: number): XrefTable | undefined {
  return unlessDamaged(undefined, () => {
    const table = readXref(windows, shift);
    for (let num = 0; num < table.size; num++) {
      const place = table.place[num] ?? 0;
      if (table.kind[num] !== PLAIN || place >= windows.size) continue;
      const { bytes, start } = windows.view(place, 64);
      table.place[num] = place + skipSpace(bytes, start, start + 64) - start;
    }
    return table;
  });
}

/** The file's own table where it is right, else the last object of each number. */
function asFarAsRight(windows: Windows, stated: XrefTable, last: XrefTable): XrefTable {
  const table = last.copy();
  for (let num = 0; num < stated.size; num++) {
    // Objects behind the table are newer than it.
    const newer = num < table.size && (table.place[num] ?? 0) > stated.end;
    if (newer || stated.kind[num] !== PLAIN || !stands(windows, stated.place[num] ?? 0, num)) continue;
    table.replace(num, PLAIN, stated.place[num] ?? 0, stated.index[num] ?? 0);
  }
  return table;
}

/** Objects by their number in the file's table, where the file has them under another number. */
type Misnumbered = ReadonlyMap<number, Definition>;

/** Empty where most of the table is wrong: then all its numbers are off by one. */
function misnumberedIn(stated: XrefTable | undefined, last: XrefTable, { definitions }: Recovered): Misnumbered {
  const misnumbered = new Map<number, Definition>();
  if (stated === undefined) return misnumbered;
  const at = new Map(definitions.map((definition) => [definition.offset, definition]));
  let right = 0;
  for (let num = 1; num < stated.size; num++) {
    if (stated.kind[num] !== PLAIN) continue;
    const there = definitionNear(at, stated.place[num] ?? 0, String(num).length);
    if (there?.num === num) right += 1;
    else if (there !== undefined && (num >= last.size || (last.kind[num] ?? 0) <= FREE)) misnumbered.set(num, there);
  }
  return right > misnumbered.size ? misnumbered : new Map();
}

function stands(windows: Windows, place: number, num: number): boolean {
  return unlessDamaged(false, () => {
    if (place >= windows.size) return false;
    const { bytes, start } = windows.view(place, 64);
    behindHeader(bytes, start, num);
    return true;
  });
}

type Definition = Recovered['definitions'][number];

/** A table of one definition of each number: the first, or a later one that replaces it. */
function tableOf({ definitions }: Recovered, replaces: (now: Definition, before: Definition) => boolean): XrefTable {
  const chosen = new Map<number, Definition>();
  for (const now of definitions) {
    const before = chosen.get(now.num);
    if (!now.endless && (before === undefined || replaces(now, before))) chosen.set(now.num, now);
  }
  const table = new XrefTable();
  for (const { num, offset, gen } of chosen.values()) table.replace(num, PLAIN, offset, gen);
  table.revisions = 1;
  return table;
}

function shareKey(from: PdfFile, to: PdfFile): void {
  for (const note of from.repairs) to.repairs.add(note);
  to.decryption = from.decryption;
  to.password = from.password;
}

function candidateOf(plain: PdfFile, recovered: Recovered, revision: Revision): Candidate {
  const mended = new Set(mendObjects(plain, recovered, revision));
  addCompressed(plain, recovered);
  for (const num of mendMembers(plain, recovered, revision)) mended.add(num);
  let file = reopened(plain, revision);
  try {
    chooseTrailer(file, recovered);
  } catch (error) {
    // A catalog is made where there are pages.
    if (!(error instanceof Damage)) throw error;
  }
  if (catalogAsObject(file, revision)) file = reopened(file, revision);
  const straightened = straighten(file, revision);
  file = reopened(file, revision);
  const tree = readPages(file);
  if (tree.pages.length > 0 && straightened?.empty.length === tree.pages.length) {
    throw new Damage('its page tree leads to no page');
  }
  const stated = straightened?.stated ?? tree.statedCount;
  return { file, tree, straightened, mended, pages: tree.pages.length, stated, mixedUp: countMixedUp(file, tree) };
}

/** Makes an object of a catalog that stands in the trailer itself: everything else refers to it by number. */
function catalogAsObject(file: PdfFile, revision: Revision): boolean {
  const root = file.xref.trailer.get('Root');
  if (!(root instanceof Dict)) return false;
  const num = freeNumber(file);
  revision.put(file.xref, num, root);
  // Tables of other candidates may share the trailer, and have no such object.
  file.xref.trailer = new Dict([...file.xref.trailer, ['Root', new Ref(num, 0)]]);
  file.decryption = file.decryption?.withPlain([num]);
  return true;
}

/** The same table and key over the file with what was added to it. */
function reopened(file: PdfFile, revision: Revision): PdfFile {
  const source = revision.source();
  const again = new PdfFile(source, new Windows(source), file.xref);
  shareKey(file, again);
  return again;
}

/** The object that begins at a place, or within the digits of its number, one of which may be damaged. */
function definitionNear(at: ReadonlyMap<number, Definition>, place: number, digits: number): Definition | undefined {
  for (let i = 0; i < digits; i++) {
    const there = at.get(place + i);
    if (there !== undefined) return there;
  }
  return undefined;
}

function putUnderTheirNumbers(
  file: PdfFile,
  recovered: Recovered,
  ownXref: XrefTable | undefined,
  misnumbered: Misnumbered,
  revision: Revision,
): void {
  const { xref } = file;
  const next = behindEach(file, recovered);
  for (const [num, { num: was, offset, gen }] of misnumbered) {
    xref.replace(num, PLAIN, offset, gen);
    mendAt(file, num, { num: was, offset }, next.get(offset) ?? file.size, revision);
    // The right object of this number is in its object stream.
    if (xref.place[was] === offset && ownXref?.kind[was] === COMPRESSED) xref.kind[was] = UNSET;
  }
}

/** For each start of an object, the start of the next one. */
function behindEach({ size }: PdfFile, { definitions }: Recovered): Map<number, number> {
  return new Map(definitions.map(({ offset }, i) => [offset, definitions[i + 1]?.offset ?? size]));
}

/** Mends objects without an end, where no other has their number, and objects that end but cannot be read. */
function mendObjects(file: PdfFile, recovered: Recovered, revision: Revision): number[] {
  const { xref } = file;
  const done: number[] = [];
  const next = behindEach(file, recovered);
  for (const definition of recovered.definitions) {
    const { num, offset, gen, endless } = definition;
    const free = num >= xref.size || (xref.kind[num] ?? 0) <= FREE;
    const here = !free && xref.kind[num] === PLAIN && xref.place[num] === offset;
    if (here ? isReadable(file, num) : !(endless && free && num > 0)) continue;
    if (!here) xref.replace(num, PLAIN, offset, gen);
    mendAt(file, num, definition, next.get(offset) ?? file.size, revision);
    done.push(num);
  }
  return done;
}

function mendAt(
  file: PdfFile,
  num: number,
  { num: was, offset }: Pick<Definition, 'num' | 'offset'>,
  end: number,
  revision: Revision,
): void {
  const bytes = Uint8Array.from(file.windows.slice(offset, Math.min(end - offset, MOST_OF_OBJECT)));
  const from = behindHeader(bytes, 0, was);
  const { value, data } = mend(bytes.subarray(from));
  if (!(value instanceof Dict) || data === undefined) {
    revision.put(file.xref, num, value);
    return;
  }
  const start = from + data;
  const rest = bytes.subarray(start);
  const length =
    end - offset > bytes.length ? end - offset - start : withoutEnd(withoutEnd(rest, 'endobj'), 'endstream').length;
  revision.put(file.xref, num, value.set('Length', length), { offset: offset + start, length });
}

/** Mends the unreadable members of object streams one by one; the others stay where they are. */
function mendMembers(file: PdfFile, { packs }: Recovered, revision: Revision): number[] {
  const { xref } = file;
  const done: number[] = [];
  for (const { num: pack, offset } of packs) {
    if (xref.kind[pack] !== PLAIN || xref.place[pack] !== offset) continue;
    for (const [num, bytes] of file.objectStreams.salvage(pack)) {
      const packed = xref.kind[num] === COMPRESSED && xref.place[num] === pack;
      const free = num >= xref.size || (xref.kind[num] ?? 0) <= FREE;
      if (num <= 0 || (!free && !(packed && !isReadable(file, num)))) continue;
      revision.put(xref, num, mend(bytes).value);
      done.push(num);
    }
  }
  file.decryption = file.decryption?.withPlain(done);
  return done;
}

function isReadable(file: PdfFile, num: number): boolean {
  return unlessDamaged(false, () => {
    const value = file.object(num);
    const view = file.fetch(num);
    if (view !== undefined && isBrokenDict(value, view.bytes.subarray(view.start))) return false;
    // An object that is no stream has no length to search for.
    const scan = file.scanObject(num);
    if (value instanceof Dict && value.has('Length') && scan?.isStream === true) file.streamPlace(num, scan);
    return scan !== undefined;
  });
}

/** Counts those of the first pages that have parts of the wrong kind. */
export function countMixedUp(file: PdfFile, { pages }: PageTree): number {
  return pages.slice(0, MOST_TRIED).filter(({ num }) => num > 0 && isMixedUp(file, num)).length;
}

/** Whether parts of the page are other objects than they should be, because numbers were mixed up. */
function isMixedUp(file: PdfFile, num: number): boolean {
  return unlessDamaged(true, () => {
    const page = file.dict(new Ref(num, 0));
    const value = page?.get('Contents');
    const contents = file.resolve(value);
    const parts = Array.isArray(contents) ? contents : [value];
    const resources = file.dict(page?.get('Resources'));
    const fonts = file.dict(resources?.get('Font')) ?? [];
    const pictures = file.dict(resources?.get('XObject')) ?? [];
    return (
      parts.some((part) => part instanceof Ref && file.has(part.num) && !decodes(file, part.num)) ||
      [...fonts].some(([, font]) => font instanceof Ref && file.has(font.num) && file.dict(font) === undefined) ||
      [...pictures].some(([, object]) => object instanceof Ref && file.has(object.num) && !isPicture(file.dict(object)))
    );
  });
}

function isPicture(dict: Dict | undefined): boolean {
  return ['Image', 'Form', 'PS'].includes(dict?.name('Subtype') ?? '');
}

function decodes(file: PdfFile, num: number): boolean {
  const { dict, raw } = file.rawStream(num, MOST_DECODED);
  const filters = file.filters(dict);
  return decodable(filters) && (raw.length === 0 || decode(raw, filters, MOST_DECODED).length > 0);
}

/** More pages; then fewer pages with mixed-up parts; then the count that the root states. */
function isBetter(one: Candidate, other: Candidate, wanted: number | undefined): boolean {
  const by = (score: (candidate: Candidate) => number) => score(one) - score(other);
  const difference =
    by(({ pages }) => (pages === wanted ? 1 : 0)) ||
    by(({ pages, straightened }) => pages - (straightened?.empty.length ?? 0)) ||
    by(({ mixedUp }) => -mixedUp) ||
    by(({ pages, stated }) => -Math.abs(pages - stated));
  return difference > 0;
}

function tell({ file, straightened }: Candidate): void {
  if (straightened === undefined) return;
  const { empty, stray, made } = straightened;
  file.lostPages = new Set(empty);
  if (made) file.repairs.add('its page tree is lost, so that pages are in the order of the file');
  else if (stray.length > 0)
    file.repairs.add(`${listedNumbers(stray)} ${stray.length === 1 ? 'was' : 'were'} put where a page was missing`);
}
