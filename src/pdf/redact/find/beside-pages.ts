import { decodable, decode } from '../../file/read/filters.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pushAll } from '../../syntax/arrays.ts';
import { Damage } from '../../syntax/damage.ts';
import { decodeText } from '../../syntax/text-strings.ts';
import { Dict, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { findIn, type Match, type Wanted } from './finders.ts';
import { termHits } from './page-search.ts';
import { plainText, stringAsSeen } from './seen-text.ts';

/** Where in a document a word stands that is on none of its pages. */
export type Where =
  | 'metadata'
  | 'bookmarks'
  | 'attachments'
  | 'form fields'
  | 'annotations'
  | 'tags'
  | 'other strings'
  | 'patterns'
  | 'text beside the page'
  | 'hidden text';

export interface FoundBeside {
  readonly term: number;
  readonly where: Where;
  readonly count: number;
}

/** Decoded bytes of a stream that are looked at. */
const CAP = 64 << 20;
const MOST_NODES = 500_000;

/**
 * Looks for terms in every string of a document, and in metadata; attached files are looked into elsewhere. Strings are
 * told by what they belong to; one that belongs to several counts for the first. A stream that cannot be decoded is passed
 * over here: `sweepFile` looks at it. `found` is called for each text in which something stands; its term is undefined for
 * kinds and expressions, which are not counted.
 */
export function findBesidePages(
  { file, tree }: Source,
  wanted: Wanted,
  match: Match,
  found: (where: Where, text: string, term?: number) => void = () => {},
): FoundBeside[] {
  const { terms } = wanted;
  const counts = new Map<Where, number[]>();
  const visited = new Set<number>();
  const search = (where: Where, text: string) => {
    const seen = stringAsSeen(text);
    if (findIn(plainText(seen).text, wanted, match).length > 0) found(where, text);
    for (const { term } of termHits(terms, seen)) {
      found(where, text, term);
      const list = counts.get(where) ?? terms.map(() => 0);
      list[term] = (list[term] ?? 0) + 1;
      counts.set(where, list);
    }
  };
  const walk = (where: Where, root: Value | undefined) => {
    const work: Value[] = [root ?? null];
    for (let value = work.pop(); value !== undefined && visited.size < MOST_NODES; value = work.pop()) {
      if (value instanceof Ref) {
        if (visited.has(value.num) || !file.has(value.num)) continue;
        const object = file.object(value.num);
        if (object instanceof Dict && /^Pages?$/.test(object.name('Type') ?? '')) continue;
        visited.add(value.num);
        const bytes = where === 'metadata' ? streamBytes(file, value.num) : undefined;
        if (bytes !== undefined) search(where, textOfStream(bytes) ?? '');
        work.push(object);
      } else if (value instanceof PdfString) search(where, decodeText(value.bytes));
      else if (Array.isArray(value)) pushAll(work, value);
      else if (value instanceof Dict) for (const [key, item] of value) if (!LEADS_BACK.has(key)) work.push(item);
    }
  };
  const catalog = file.dict(file.xref.trailer.get('Root'));
  walk('metadata', file.xref.trailer.get('Info'));
  walk('metadata', catalog?.get('Metadata'));
  walk('attachments', file.dict(catalog?.get('Names'))?.get('EmbeddedFiles'));
  walk('attachments', catalog?.get('AF'));
  walk('bookmarks', catalog?.get('Outlines'));
  walk('form fields', catalog?.get('AcroForm'));
  for (const { num } of tree.pages) walk('annotations', file.dict(new Ref(num, 0))?.get('Annots'));
  walk('tags', catalog?.get('StructTreeRoot'));
  for (let num = 1; num < file.xref.size; num++)
    if (file.has(num) && !visited.has(num)) walk('other strings', onlyStrings(file, num, visited));
  return [...counts].flatMap(([where, list]) =>
    list.flatMap((count, term) => (count > 0 ? [{ term, where, count }] : [])),
  );
}

/** Entries that lead from an annotation or a tag to pages and to what holds it. */
const LEADS_BACK = new Set(['P', 'Parent', 'Pg', 'Dest', 'StructParent']);

/** What an object says that nothing above leads to; fonts and pictures say nothing to people. */
function onlyStrings(file: PdfFile, num: number, seen: Set<number>): Value {
  seen.add(num);
  const value = file.object(num);
  const type = value instanceof Dict ? `${value.name('Type')} ${value.name('Subtype')}` : '';
  if (/Font|Image|XRef|ObjStm/.test(type)) return null;
  return value instanceof Dict ? new Dict([...value].filter(([key]) => key !== 'ID')) : value;
}

/** The bytes of a stream; undefined where they cannot be decoded. */
export function streamBytes(file: PdfFile, num: number): Uint8Array | undefined {
  if (file.scanObject(num)?.isStream !== true) return undefined;
  try {
    const { raw, dict } = file.rawStream(num, CAP);
    const filters = file.filters(dict);
    return decodable(filters) ? decode(raw, filters, CAP) : undefined;
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}

/** The text of bytes, in the encodings it may have; undefined for data. */
export function textOfStream(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const order =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
  const text = new TextDecoder(order).decode(bytes);
  if (text.includes('\0')) return undefined;
  // Older texts have one byte for a letter.
  return text.includes('\ufffd') ? Buffer.from(bytes).toString('latin1') : text;
}
