import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pushAll } from '../../syntax/arrays.ts';
import { unlessDamaged } from '../../syntax/damage.ts';
import { decodeTextString } from '../../syntax/text-strings.ts';
import { Dict, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { namesCollection } from '../objects/standard-names.ts';
import { findIn, type Match, type SearchQuery } from '../words/detectors.ts';
import { searchableText, stringAsSeen } from '../words/seen-text.ts';
import { termHits } from './page-search.ts';

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

/** Decoded bytes of a stream that are searched. */
const CAP = 64 << 20;
const MOST_NODES = 500_000;

/**
 * Searches the strings and text streams of a document, but not attached files. An object of several parts counts for
 * the first. `found` is called for each match, with no term for kinds and expressions, which are not counted.
 */
export function findBesidePages(
  { file, tree }: Source,
  wanted: SearchQuery,
  match: Match,
  onHit: (where: Where, text: string, term?: number) => void = () => {},
) {
  const { terms } = wanted;
  const counts = new Map<Where, number[]>();
  const visited = new Set<number>();
  const search = (where: Where, text: string) => {
    const seen = stringAsSeen(text);
    if (findIn(searchableText(seen).text, wanted, match).length > 0) onHit(where, text);
    for (const { term } of termHits(terms, seen)) {
      onHit(where, text, term);
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
      } else if (value instanceof PdfString) search(where, decodeTextString(value.bytes));
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

/** Entries of annotations and tags that lead back to pages and parents. */
const LEADS_BACK = new Set(['P', 'Parent', 'Pg', 'Dest', 'StructParent']);

/** Types of objects without text for people. */
const WORDLESS = /\b(Font|Image|Form|XRef|ObjStm|CMap|Pattern|EmbeddedFile)/;
const typeOf = (value: Value) =>
  value instanceof Dict ? `${value.name('Type') ?? ''} ${value.name('Subtype') ?? ''}` : '';

/** The text of an XML stream (metadata, form data, rich text) or a script; empty for other objects. */
function sayingOf(file: PdfFile, num: number, value: Value): string {
  if (!(value instanceof Dict) || WORDLESS.test(typeOf(value)) || !file.isStream(num)) return '';
  const text = textOfStream(streamBytes(file, num) ?? NO_BYTES) ?? '';
  return /^\s*\ufeff?\s*</.test(text) || isScript(text) ? text : '';
}

const NO_BYTES = new Uint8Array(0);

/** Whether text has statements, unlike page content. */
function isScript(text: string): boolean {
  return /[;{}]\s*(\/\/.*)?$/m.test(text) && /\b(var|this|function|app|event|if)\b/.test(text);
}

/** An object's strings, without file identifiers. */
function onlyStrings(value: Value): Value {
  if (/Font|Image|XRef|ObjStm/.test(typeOf(value))) return null;
  return value instanceof Dict ? new Dict([...value].filter(([key]) => key !== 'ID')) : value;
}

/** The bytes of a stream; undefined where they cannot be decoded. */
export function streamBytes(file: PdfFile, num: number): Uint8Array | undefined {
  return unlessDamaged(undefined, () => file.streamBytes(num, CAP)?.bytes);
}

/** Decodes bytes as UTF-16, UTF-8 or Latin-1; undefined for binary data. */
export function textOfStream(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const order =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
  const text = new TextDecoder(order).decode(bytes);
  if (text.includes('\0')) return undefined;
  return text.includes('\ufffd') ? Buffer.from(bytes).toString('latin1') : text;
}
