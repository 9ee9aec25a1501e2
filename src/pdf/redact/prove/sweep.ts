import { type ContentOperation, ContentScanner } from '../../content/scanner.ts';
import { decodable, decode } from '../../file/read/filters.ts';
import type { PageTree } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { characterNamed } from '../../fonts/glyph-names.ts';
import { Damage, Unreadable, unlessRefusedLater, unlessThrown } from '../../syntax/damage.ts';
import { decodeTextString } from '../../syntax/text-strings.ts';
import { Dict, Name, PdfString, Ref, refsIn, type Value } from '../../syntax/values.ts';
import { namesCollection, STANDARD_NAMES } from '../objects/standard-names.ts';
import { openBytes } from '../output/plain-copy.ts';
import type { Secrets } from '../words/secrets.ts';

const CAP = 1 << 30;
const SPACE = Uint8Array.of(0x20);

export interface Sweep {
  /** Pages, from 0, with a hit in an object that they reach. */
  readonly pages: ReadonlySet<number>;
  /** There is a hit in an object that no page reaches. */
  readonly elsewhere: boolean;
  readonly pageCount: number;
}

/** Looks for secrets in every string, every name and every decoded stream of a document. */
export async function sweepOutput(bytes: Uint8Array, secrets: Secrets): Promise<Sweep> {
  const { file, tree } = await openBytes(bytes, 'the output');
  return sweepFile(file, tree, secrets, true);
}

const UNREAD = [Damage, Unreadable];

/** Searches any file. `isStrict`: a stream that cannot be decoded counts as a hit. */
export function sweepFile(file: PdfFile, tree: PageTree, secrets: Secrets, isStrict = false): Sweep {
  const content = contentStreams(file, tree);
  const hits = new Set<number>();
  for (let num = 1; num < file.xref.size; num++)
    if (file.has(num) && unlessThrown(UNREAD, isStrict, () => isHit(file, num, content.has(num), secrets)))
      hits.add(num);
  const pages = new Set<number>();
  const seen = new Set<number>();
  if (hits.size > 0)
    for (const [i, { num }] of tree.pages.entries()) {
      const below = reach(file, num);
      for (const object of below) {
        seen.add(object);
        if (hits.has(object)) pages.add(i);
      }
    }
  return { pages, elsewhere: [...hits].some((num) => !seen.has(num)), pageCount: tree.pages.length };
}

/** Earlier versions that are searched, newest first. */
const MOST_VERSIONS = 20;

/** How many earlier versions of a file hold a secret. */
export async function olderTexts(file: PdfFile, secrets: Secrets): Promise<number> {
  if (file.size > MOST_SIZE || file.decryption !== undefined) return 0;
  const bytes = new Uint8Array(file.size);
  file.windows.read(bytes, 0);
  const view = Buffer.from(bytes.buffer);
  let count = 0;
  let end = view.lastIndexOf('%%EOF');
  for (let i = 0; i < MOST_VERSIONS; i++) {
    end = end <= 0 ? -1 : view.lastIndexOf('%%EOF', end - 1);
    if (end < 0) break;
    const version = bytes.subarray(0, end + 6);
    const swept = await unlessRefusedLater(undefined, async () => {
      const older = await openBytes(version, 'an earlier version');
      return sweepFile(older.file, older.tree, secrets);
    });
    if (swept !== undefined && (swept.pages.size > 0 || swept.elsewhere)) count++;
  }
  return count;
}

const MOST_SIZE = 256 << 20;

/** Streams that are content: of pages, forms, patterns and glyphs of Type 3 fonts. */
function contentStreams(file: PdfFile, { pages }: PageTree): ReadonlySet<number> {
  const streams = new Set<number>();
  const add = (value: Value | undefined) => {
    if (value instanceof Ref) streams.add(value.num);
  };
  for (const { num } of pages) add(file.dict(new Ref(num, 0))?.get('Contents'));
  for (let num = 1; num < file.xref.size; num++) {
    if (!file.has(num)) continue;
    const dict = file.object(num);
    if (!(dict instanceof Dict)) continue;
    for (const value of file.dict(dict.get('CharProcs'))?.values() ?? []) add(value);
    if (dict.name('Subtype') === 'Form' || dict.has('PatternType')) streams.add(num);
  }
  return streams;
}

function isHit(file: PdfFile, num: number, isContent: boolean, secrets: Secrets): boolean {
  const value = file.object(num);
  if (holds(value, secrets)) return true;
  if (!(value instanceof Dict) || !file.isStream(num)) return false;
  const { raw, dict } = file.rawStream(num, CAP);
  const filters = file.filters(dict);
  // JPEG and JPEG 2000 may hold text beside the pixels.
  if (!decodable(filters)) return secrets.isInData(raw);
  if (value.name('Subtype') === 'Image') return false;
  const bytes = decode(raw, filters, CAP);
  if (isContent) return contentHolds(bytes, secrets);
  const isFont = dict.has('Length1') || FONT_TYPES.has(dict.name('Subtype') ?? '');
  return secrets.isInData(isFont ? withoutFontWords(bytes) : withoutMapWords(bytes));
}

const FONT_TYPES = new Set(['Type1C', 'CIDFontType0C', 'OpenType']);
/** PostScript keywords in the clear part of Type 1 programs. */
const PROGRAM_WORDS = /^(currentfile|currentdict|readonly|noaccess|definefont|StandardEncoding|FontInfo|CharStrings)$/;

/** A font program without keywords and glyph names, such as the `current` of `currentfile` and `quotesingle`. */
function withoutFontWords(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const isOfFormat = (word: string) => PROGRAM_WORDS.test(word) || characterNamed(word) !== undefined;
  return Buffer.from(
    text.replace(/[A-Za-z]{6,}/g, (word) => (isOfFormat(word) ? ' '.repeat(word.length) : word)),
    'latin1',
  );
}

function holds(value: Value, secrets: Secrets): boolean {
  if (value instanceof PdfString) return stringHolds(value.bytes, secrets);
  if (value instanceof Name) return nameHolds(value.value, secrets);
  if (Array.isArray(value)) return value.some((item) => holds(item, secrets));
  if (value instanceof Dict)
    return [...value].some(
      ([key, item]) => nameHolds(key, secrets) || (!namesCollection(key, item) && holds(item, secrets)),
    );
  return false;
}

function nameHolds(name: string, secrets: Secrets): boolean {
  // Glyph names such as `question` are words in every document.
  return !STANDARD_NAMES.has(name) && characterNamed(name) === undefined && secrets.isIn(name);
}

function stringHolds(bytes: Uint8Array, secrets: Secrets): boolean {
  if (bytes.length < 2) return false;
  const latin = Buffer.from(bytes).toString('latin1');
  return (
    secrets.isIn(latin) ||
    secrets.isIn(decodeTextString(bytes)) ||
    (bytes.length % 2 === 0 &&
      (secrets.isIn(new TextDecoder('utf-16be').decode(bytes)) ||
        secrets.isIn(new TextDecoder('utf-16le').decode(bytes)))) ||
    (/^[0-9a-f\s]+$/i.test(latin) && secrets.isIn(Buffer.from(latin.replace(/\s/g, ''), 'hex').toString('latin1')))
  );
}

/** Whether the names, or the strings of a content joined, hold a secret. */
function contentHolds(bytes: Uint8Array, secrets: Secrets): boolean {
  const scanner = new ContentScanner(bytes);
  const all: Uint8Array[] = [];
  let line: Uint8Array[] = [];
  const isHidden = (op: ContentOperation) =>
    op.operands.some((value) => value instanceof Name && nameHolds(value.value, secrets));
  for (let op = scanner.next(); op !== undefined; op = scanner.next()) {
    const pieces = op.operands
      .flatMap((value) => (Array.isArray(value) ? value : [value]))
      .flatMap((value) => (value instanceof PdfString ? [value.bytes] : isGap(value) ? [SPACE] : []));
    if (pieces.some((piece) => piece !== SPACE)) line.push(...pieces);
    else if (op.name === 'ET' || op.name === 'Td' || op.name === 'Tm') {
      all.push(...line, SPACE);
      line = [];
    }
    if (op.name !== 'Tf' && isHidden(op)) return true;
    if (op.image !== undefined && holds(op.image.dict, secrets)) return true;
  }
  return stringHolds(Buffer.concat([...all, ...line]), secrets);
}

/** Whether a number of TJ is wide enough to be a space. */
function isGap(value: Value): boolean {
  return typeof value === 'number' && value < -160;
}

/** PostScript keywords of every character map, such as the `current` of `currentdict`. */
const MAP_WORDS =
  /\/(?:CIDInit|ProcSet|CMapName|CMapType|CMap|Adobe-Identity-UCS|CIDSystemInfo|Registry|Ordering|Supplement|Identity-H)\b|\b(?:findresource|currentdict|defineresource|(?:begin|end)(?:cmap|codespacerange|bfchar|bfrange)|begin|end|dict|dup|def|pop)\b/g;

function withoutMapWords(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (!head.includes('/CIDInit')) return bytes;
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace(MAP_WORDS, ' '), 'latin1');
}

/** Objects that a page reaches, other pages excluded. */
function reach(file: PdfFile, page: number): Set<number> {
  const seen = new Set<number>([page]);
  // The loop also visits objects that it adds.
  for (const num of seen)
    for (const ref of refsIn(file.object(num))) {
      const target = seen.has(ref) ? null : file.object(ref);
      const isPage = target instanceof Dict && /^Pages?$/.test(target.name('Type') ?? '');
      if (!isPage) seen.add(ref);
    }
  return seen;
}
