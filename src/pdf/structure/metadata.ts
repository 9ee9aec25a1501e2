// Edits the metadata of a document, in its information dictionary and its XMP packet.
import type { Copier } from '../file/copy/copier.ts';
import { DROPPED } from '../file/copy/copier.ts';
import { archivePart, decoded, literal, prefixesOf } from '../file/read/claims.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Writer } from '../file/write/writer.ts';
import { Damage, unlessThrown } from '../syntax/damage.ts';
import { pdfDate } from '../syntax/dates.ts';
import { hexString } from '../syntax/serialize.ts';
import { encodeText } from '../syntax/text-strings.ts';
import { Ref, type Value } from '../syntax/values.ts';
import { valueText } from './input.ts';

/** New values: text, or null to remove an entry; entries left out stay. Dates in ISO 8601. */
export type Metadata = { readonly [K in MetadataKey]?: string | null | undefined };

export const INFO_KEYS = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
  created: 'CreationDate',
  modified: 'ModDate',
} as const;

export type MetadataKey = keyof typeof INFO_KEYS;

export const METADATA_KEYS = Object.keys(INFO_KEYS) as MetadataKey[]; // its own keys

/** The XMP property of each entry, and the kind of list its value stands in (XMP, part 1, 8.3 and 8.4). */
const PROPERTIES: Readonly<Record<MetadataKey, { space: keyof typeof NAMESPACES; name: string; list?: List }>> = {
  title: { space: 'dc', name: 'title', list: 'Alt' },
  author: { space: 'dc', name: 'creator', list: 'Seq' },
  subject: { space: 'dc', name: 'description', list: 'Alt' },
  keywords: { space: 'pdf', name: 'Keywords' },
  creator: { space: 'xmp', name: 'CreatorTool' },
  producer: { space: 'pdf', name: 'Producer' },
  created: { space: 'xmp', name: 'CreateDate' },
  modified: { space: 'xmp', name: 'ModifyDate' },
};

type List = 'Alt' | 'Seq' | 'Bag';

const NAMESPACES = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
} as const;

/** Larger packets are not edited: XMP takes some kilobytes. */
const MAX_XMP = 16 << 20;

type Given = readonly [key: MetadataKey, text: string | null];

function given(values: Metadata): Given[] {
  return METADATA_KEYS.flatMap((key) => {
    const value = values[key];
    return value === undefined ? [] : [[key, value] as const];
  });
}

/** The value for the information dictionary, as text; undefined to remove it. */
function infoText([key, text]: Given): string | undefined {
  if (text === null) return undefined;
  return hexString(encodeText(key === 'created' || key === 'modified' ? pdfDate(text) : text));
}

/** An object or a stream to be written. `entries`: of its dictionary, without /Length. */
export interface Pending {
  readonly num: number;
  readonly entries: string;
  readonly bytes?: Uint8Array;
}

export async function writePending(writer: Writer, { num, entries, bytes }: Pending): Promise<void> {
  await (bytes === undefined ? writer.object(num, `<<${entries}>>`) : writer.stream(num, entries, [bytes]));
}

/** The output number of the document information; DROPPED where there is none. A new one is returned as `pending`. */
export function placeInfo(copier: Copier, values: Metadata): { num: number; pending?: Pending } {
  const info = copier.file.xref.trailer.get('Info');
  const texts = given(values).map((entry) => [INFO_KEYS[entry[0]], infoText(entry)] as const);
  if (info instanceof Ref && copier.file.dict(info) !== undefined) {
    if (texts.length > 0) copier.changes.set(info.num, new Map(texts));
    return { num: copier.ref(info.num) };
  }
  const fresh = texts.filter(([, text]) => text !== undefined);
  // PDF/A-4 keeps metadata in the packet alone (ISO 19005-4, 6.1.3).
  if (fresh.length === 0 || archivePart(copier.file) === '4') return { num: DROPPED };
  const num = copier.writer.allocate();
  return { num, pending: { num, entries: fresh.map(([key, text]) => `/${key} ${text}`).join('') } };
}

/** The catalog's /Metadata as text, empty if missing. New values are written into the packet, or it is left out. */
export function placeXmp(
  copier: Copier,
  metadata: Value | undefined,
  values: Metadata,
): { text: string; pending?: Pending } {
  const { file } = copier;
  if (!(metadata instanceof Ref) || file.dict(metadata) === undefined) return { text: '' };
  const changes = given(values);
  if (changes.length === 0) return { text: `/Metadata ${valueText(metadata, copier)}` };
  const packet = readXmp(file, metadata);
  const edited = packet === undefined ? undefined : editXmp(packet, changes);
  // A packet that cannot be edited would keep the old title, which programs prefer.
  if (edited === undefined) return { text: '' };
  return pendingXmp(copier, edited);
}

/** The packet without the description of an attached invoice (Factur-X, ZUGFeRD), which is left out. */
export function withoutInvoice(packet: string): string {
  const spaces = packet.matchAll(/xmlns:([\w-]{1,64})\s{0,9}=\s{0,9}["']urn:[^"']{1,200}:invoice:[^"']{0,64}["']/g);
  let text = packet;
  for (const [, prefix] of spaces)
    for (const name of ['DocumentType', 'DocumentFileName', 'Version', 'ConformanceLevel'])
      text = without(text, `${prefix}:${name}`);
  return text;
}

export function pendingXmp({ writer }: Copier, packet: string): { text: string; pending: Pending } {
  const num = writer.allocate();
  const pending = { num, entries: '/Type/Metadata/Subtype/XML', bytes: Buffer.from(packet) };
  return { text: `/Metadata ${num} 0 R`, pending };
}

export function newXmp(values: Metadata): string {
  const head = '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">';
  const empty = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n</rdf:RDF>';
  const packet = `${head}\n${empty}\n</x:xmpmeta>\n<?xpacket end="w"?>`;
  return editXmp(packet, given(values)) ?? packet;
}

export function readXmp(file: PdfFile, metadata: Value | undefined): string | undefined {
  if (!(metadata instanceof Ref)) return undefined;
  return unlessThrown([Damage, TypeError], undefined, () => {
    const bytes = file.streamBytes(metadata.num, MAX_XMP)?.bytes;
    if (bytes === undefined) return undefined;
    const [first = 0, second = 0] = bytes;
    const isUtf8 = first < 0xfe && first !== 0 && second !== 0;
    return isUtf8 ? new TextDecoder('utf-8', { fatal: true }).decode(bytes) : decoded(bytes);
  });
}

/** The packet with each property removed wherever it stands, and set again in a description of its own. */
function editXmp(packet: string, changes: readonly Given[]): string | undefined {
  const end = packet.lastIndexOf('</rdf:RDF>');
  if (end < 0) return undefined;
  let text = packet.slice(0, end);
  let fresh = '';
  const set = (space: keyof typeof NAMESPACES, name: string, value: string | undefined): boolean => {
    const before = text.length;
    for (const prefix of allPrefixes(packet, space)) text = without(text, `${prefix}:${name}`);
    if (value !== undefined) fresh += `<${space}:${name}>${value}</${space}:${name}>`;
    return text.length < before;
  };
  for (const [key, value] of changes) {
    const { space, name, list } = PROPERTIES[key];
    set(space, name, value === null ? undefined : listed(list, [escapeXml(value)], languagesIn(packet, name)));
    // The same keywords as a list of subjects, where the packet has one.
    if (key !== 'keywords' || !set('dc', 'subject', undefined) || value === null) continue;
    const words = value.split(/[,;]/).map((word) => escapeXml(word.trim()));
    const some = words.filter((word) => word !== '');
    set('dc', 'subject', listed('Bag', some));
  }
  if (fresh === '') return `${text}${packet.slice(end)}`;
  const spaces = Object.entries(NAMESPACES).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return `${text}<rdf:Description rdf:about=""${spaces.join('')}>${fresh}</rdf:Description>\n${packet.slice(end)}`;
}

/** The usual prefix of a namespace, and those that the packet declares. */
function allPrefixes(packet: string, space: keyof typeof NAMESPACES): Set<string> {
  return new Set([space, ...prefixesOf(packet, NAMESPACES[space])]);
}

/** The metadata values in a packet. */
export function valuesInXmp(packet: string): Partial<Record<MetadataKey, string>> {
  const values: Partial<Record<MetadataKey, string>> = {};
  for (const key of METADATA_KEYS) {
    const { space, name } = PROPERTIES[key];
    for (const prefix of allPrefixes(packet, space)) {
      const value = propertyIn(packet, `${prefix}:${name}`);
      if (value !== undefined) values[key] ??= value;
    }
  }
  return values;
}

function propertyIn(packet: string, name: string): string | undefined {
  const open = opening(name).exec(packet);
  if (open !== null) {
    const close = packet.indexOf('>', open.index);
    const end = packet.indexOf(`</${name}>`, close);
    if (packet[close - 1] === '/' || close < 0 || end < 0) return undefined;
    const inside = packet.slice(close + 1, end);
    const items = [...inside.matchAll(/<rdf:li\b([^>]*)>([^<]*)/g)].map(([, about = '', item = '']) => {
      return { isUsual: about.includes('x-default'), text: unescapeXml(about.endsWith('/') ? '' : item.trim()) };
    });
    // Alternatives of one text by language, or several texts.
    if (inside.includes('<rdf:Alt')) return (items.find(({ isUsual }) => isUsual) ?? items[0])?.text ?? '';
    return items.length === 0 ? unescapeXml(inside.trim()) : items.map((item) => item.text).join('; ');
  }
  const attribute = new RegExp(`\\s${literal(name)}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(packet);
  const value = attribute?.[1] ?? attribute?.[2];
  return value === undefined ? undefined : unescapeXml(value);
}

/** Removes all elements `<name ...>...</name>` or `<name .../>` and all attributes `name="..."`. */
function without(text: string, name: string): string {
  const open = opening(name);
  const closing = `</${name}>`;
  const kept: string[] = [];
  let from = 0;
  for (let match = open.exec(text); match !== null; match = open.exec(text)) {
    const close = text.indexOf('>', match.index);
    const end = text[close - 1] === '/' ? close + 1 : text.indexOf(closing, close) + closing.length;
    if (close < 0 || end <= close) break;
    kept.push(text.slice(from, match.index));
    from = end;
    open.lastIndex = end;
  }
  kept.push(text.slice(from));
  return kept.join('').replace(new RegExp(`\\s${literal(name)}\\s*=\\s*("[^"]*"|'[^']*')`, 'g'), '');
}

function opening(name: string): RegExp {
  return new RegExp(`<${literal(name)}[\\s/>]`, 'g');
}

/** The languages of a text in a packet, where it has one besides the default at most. */
function languagesIn(packet: string, name: string): string[] {
  const items = packet.split(`:${name}>`)[1]?.match(/xml:lang\s*=\s*["'][\w-]+/g) ?? [];
  const languages = new Set(items.map((item) => item.replace(/^.*["']/s, '')));
  const named = [...languages].filter((language) => language !== 'x-default');
  return named.length === 1 ? [...languages] : ['x-default'];
}

function listed(list: List | undefined, values: readonly string[], languages: readonly string[] = []): string {
  if (list === undefined) return values.join(', ');
  const marks = list === 'Alt' ? languages.map((language) => ` xml:lang="${language}"`) : [''];
  const items = values.flatMap((value) => marks.map((mark) => `<rdf:li${mark}>${value}</rdf:li>`));
  return `<rdf:${list}>${items.join('')}</rdf:${list}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Characters that XML 1.0 cannot hold (2.2), such as control characters; left in, they make a packet unreadable. */
const UNWRITABLE = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  const plain = text.replace(UNWRITABLE, '');
  return plain.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'));
}
