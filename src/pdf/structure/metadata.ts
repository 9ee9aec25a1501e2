// What a document says of itself, in its information dictionary and its XMP packet, with new values for some entries.
import type { Copier } from '../copy/copier.ts';
import { DROPPED } from '../copy/copier.ts';
import { Damage } from '../syntax/damage.ts';
import { hexString } from '../syntax/serialize.ts';
import { encodeText } from '../syntax/text-strings.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import { valueText } from './input.ts';

/** New values; what is left out stays as it was. */
export interface Metadata {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly keywords?: string | undefined;
}

const INFO_KEYS = { title: 'Title', author: 'Author', subject: 'Subject', keywords: 'Keywords' } as const;

/** The XMP property of each, and the kind of list its value stands in (XMP specification, part 1, 8.3 and 8.4). */
const PROPERTIES = {
  title: { name: 'dc:title', list: 'Alt' },
  author: { name: 'dc:creator', list: 'Seq' },
  subject: { name: 'dc:description', list: 'Alt' },
  keywords: { name: 'pdf:Keywords', list: undefined },
} as const;

const NAMESPACES: Record<string, string> = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
};

/** XMP is some kilobytes; a packet beyond this is not edited. */
const MAX_XMP = 16 << 20;

type Given = readonly [key: keyof Metadata, text: string];

function given(values: Metadata): Given[] {
  const keys = ['title', 'author', 'subject', 'keywords'] as const;
  return keys.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]] as const]));
}

/** An object that somebody has yet to write. */
export interface Pending {
  readonly num: number;
  readonly dict: string;
  readonly bytes?: Uint8Array;
}

/** The output number of a document's information; DROPPED where it has none. What is new comes back as `pending`. */
export function placeInfo(copier: Copier, values: Metadata): { num: number; pending?: Pending } {
  const info = copier.file.xref.trailer.get('Info');
  const texts = given(values).map(([key, text]) => [INFO_KEYS[key], hexString(encodeText(text))] as const);
  if (info instanceof Ref && copier.file.dict(info) !== undefined) {
    if (texts.length > 0) copier.changes.set(info.num, new Map(texts));
    return { num: copier.ref(info.num) };
  }
  if (texts.length === 0) return { num: DROPPED };
  const num = copier.writer.allocate();
  return { num, pending: { num, dict: `<<${texts.map(([key, text]) => `/${key} ${text}`).join('')}>>` } };
}

/** The catalog's /Metadata as text, empty where there is none. With new values the packet is edited, or left out. */
export function placeXmp(
  copier: Copier,
  metadata: Value | undefined,
  values: Metadata,
): { text: string; pending?: Pending } {
  const { file } = copier;
  if (!(metadata instanceof Ref) || file.dict(metadata) === undefined) return { text: '' };
  const changes = given(values);
  if (changes.length === 0) return { text: `/Metadata ${valueText(metadata, copier)}` };
  const packet = decodedXmp(copier, metadata);
  const edited = packet === undefined ? undefined : editXmp(packet, changes);
  // A packet that cannot be edited would go on saying the old title, and programs believe it first.
  if (edited === undefined) return { text: '' };
  const bytes = Buffer.from(edited);
  const num = copier.writer.allocate();
  const pending = { num, dict: `<</Type/Metadata/Subtype/XML/Length ${bytes.length}>>`, bytes };
  return { text: `/Metadata ${num} 0 R`, pending };
}

function decodedXmp({ file }: Copier, { num }: Ref): string | undefined {
  try {
    const found = file.streamBytes(num, MAX_XMP);
    if (found === undefined || !(found.dict instanceof Dict)) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
  } catch (error) {
    if (error instanceof Damage || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The packet with each property removed wherever it stands, and set anew in a description of its own. */
function editXmp(packet: string, changes: readonly Given[]): string | undefined {
  const end = packet.lastIndexOf('</rdf:RDF>');
  if (end < 0) return undefined;
  let text = packet.slice(0, end);
  let fresh = '';
  for (const [key, value] of changes) {
    const { name, list } = PROPERTIES[key];
    text = without(text, name);
    fresh += `<${name}>${listed(escapeXml(value), list)}</${name}>`;
  }
  const spaces = Object.entries(NAMESPACES).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return `${text}<rdf:Description rdf:about=""${spaces.join('')}>${fresh}</rdf:Description>\n${packet.slice(end)}`;
}

/** Cuts out all elements `<name ...>...</name>` or `<name .../>` and all attributes `name="..."`. */
function without(text: string, name: string): string {
  let rest = text;
  for (let from = rest.search(opening(name)); from >= 0; from = rest.search(opening(name))) {
    const close = rest.indexOf('>', from);
    const closing = `</${name}>`;
    const behind = rest[close - 1] === '/' ? close + 1 : rest.indexOf(closing, from) + closing.length;
    if (close < 0 || behind <= from) break;
    rest = rest.slice(0, from) + rest.slice(behind);
  }
  return rest.replace(new RegExp(`\\s${name}\\s*=\\s*("[^"]*"|'[^']*')`, 'g'), '');
}

function opening(name: string): RegExp {
  return new RegExp(`<${name}[\\s/>]`);
}

function listed(value: string, list: 'Alt' | 'Seq' | undefined): string {
  if (list === undefined) return value;
  const language = list === 'Alt' ? ' xml:lang="x-default"' : '';
  return `<rdf:${list}><rdf:li${language}>${value}</rdf:li></rdf:${list}>`;
}

/** What XML has no way to write (1.0, 2.2), such as control characters, makes the packet unreadable: it goes. */
const UNWRITABLE = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  const plain = text.replace(UNWRITABLE, '');
  return plain.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'));
}
