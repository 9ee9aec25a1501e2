import { decodable, decode } from '../../file/read/filters.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pushAll } from '../../syntax/arrays.ts';
import { unlessDamaged } from '../../syntax/damage.ts';
import { decodeText } from '../../syntax/text-strings.ts';
import { Dict, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { namesCollection } from '../objects/standard-names.ts';
import { findIn, type Match, type Wanted } from '../words/detectors.ts';
import { plainText, stringAsSeen } from '../words/seen-text.ts';
import { termHits } from './page-search.ts';

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
        search(where, sayingOf(file, value.num, object));
        work.push(object);
      } else if (value instanceof PdfString) search(where, decodeText(value.bytes));
      else if (Array.isArray(value)) pushAll(work, value);
      else if (value instanceof Dict)
        for (const [key, item] of value) if (!LEADS_BACK.has(key) && !namesCollection(key, item)) work.push(item);
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
    if (file.has(num) && !visited.has(num)) {
      visited.add(num);
      search('other strings', sayingOf(file, num, file.object(num)));
      walk('other strings', onlyStrings(file.object(num)));
    }
  return [...counts].flatMap(([where, list]) =>
    list.flatMap((count, term) => (count > 0 ? [{ term, where, count }] : [])),
  );
}

/** Entries of annotations and tags that lead to pages and to parents. */
const LEADS_BACK = new Set(['P', 'Parent', 'Pg', 'Dest', 'StructParent']);

/** Fonts, pictures and what belongs to the file itself say nothing to people. */
const WORDLESS = /\b(Font|Image|Form|XRef|ObjStm|CMap|Pattern|EmbeddedFile)/;
const typeOf = (value: Value) =>
  value instanceof Dict ? `${value.name('Type') ?? ''} ${value.name('Subtype') ?? ''}` : '';

/** The text of a stream that has one: metadata, data of forms and rich text are XML; scripts are text. */
function sayingOf(file: PdfFile, num: number, value: Value): string {
  if (!(value instanceof Dict) || WORDLESS.test(typeOf(value)) || file.scanObject(num)?.isStream !== true) return '';
  const text = textOfStream(streamBytes(file, num) ?? NO_BYTES) ?? '';
  return /^\s*\ufeff?\s*</.test(text) || isScript(text) ? text : '';
}

const NO_BYTES = new Uint8Array(0);

/** Content of pages has operators where a script has statements. */
function isScript(text: string): boolean {
  return /[;{}]\s*(\/\/.*)?$/m.test(text) && /\b(var|this|function|app|event|if)\b/.test(text);
}

/** Strings of an object, without the identifiers of files. */
function onlyStrings(value: Value): Value {
  if (/Font|Image|XRef|ObjStm/.test(typeOf(value))) return null;
  return value instanceof Dict ? new Dict([...value].filter(([key]) => key !== 'ID')) : value;
}

/** The bytes of a stream; undefined where they cannot be decoded. */
export function streamBytes(file: PdfFile, num: number): Uint8Array | undefined {
  if (file.scanObject(num)?.isStream !== true) return undefined;
  return unlessDamaged(undefined, () => {
    const { raw, dict } = file.rawStream(num, CAP);
    const filters = file.filters(dict);
    return decodable(filters) ? decode(raw, filters, CAP) : undefined;
  });
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
