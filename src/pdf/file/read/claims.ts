// Claims in the XMP packet of a document to conform to PDF/A (ISO 19005) or PDF/UA (ISO 14289).
import { unlessRefused } from '../../syntax/damage.ts';
import { Ref } from '../../syntax/values.ts';
import type { PdfFile } from './pdf-file.ts';

const MOST_METADATA = 4 << 20;

const NAMESPACES = {
  'PDF/A': 'http://www.aiim.org/pdfa/ns/id/',
  'PDF/UA': 'http://www.aiim.org/pdfua/ns/id/',
} as const;

export type Standard = keyof typeof NAMESPACES;

export interface StandardClaim {
  readonly standard: Standard;
  readonly part: string;
  /** Such as b; empty where the claim names none. */
  readonly level: string;
}

/** The standards that a document claims to conform to. Whether it conforms is not checked. */
export function claimsOf(file: PdfFile): readonly StandardClaim[] {
  const packet = packetOf(file);
  if (packet === undefined) return [];
  return Object.entries(NAMESPACES).flatMap(([standard, namespace]) => {
    for (const prefix of prefixesOf(packet.text, namespace).map(literal)) {
      const part = propertyIn(packet.text, `${prefix}:part`);
      if (part === undefined) continue;
      const level = propertyIn(packet.text, `${prefix}:conformance`) ?? '';
      return [{ standard: standard as Standard, part, level: level.toLowerCase() }]; // a key of NAMESPACES
    }
    return [];
  });
}

/** The part of PDF/A that the document claims, such as 2; undefined where it claims none. */
export function archivePart(file: PdfFile): string | undefined {
  return claimsOf(file).find(({ standard }) => standard === 'PDF/A')?.part;
}

/** Whether the document says what its device colours mean (ISO 19005-2, 6.2.3): an empty list says nothing. */
export function hasOutputIntent(file: PdfFile): boolean {
  const intents = file.resolve(file.dict(file.xref.trailer.get('Root'))?.get('OutputIntents'));
  return Array.isArray(intents) && intents.some((intent) => file.dict(intent)?.name('S') === 'GTS_PDFA1');
}

/** Whether a claim asks that all content is tagged or an artifact. */
export function asksForTags({ standard, level }: StandardClaim): boolean {
  return standard === 'PDF/UA' || level === 'a';
}

export function claimText({ standard, part, level }: StandardClaim): string {
  return `${standard}-${part}${level}`;
}

/** The packet without its claim of a standard, or with a lower level (an empty one removes it), and its object. */
export function packetWithout(
  file: PdfFile,
  standard: Standard,
  level?: string,
): { readonly num: number; readonly text: string } | undefined {
  const packet = packetOf(file);
  if (packet === undefined) return undefined;
  let { text } = packet;
  for (const prefix of prefixesOf(text, NAMESPACES[standard]).map(literal)) {
    const name = `${prefix}:(?:${level === undefined ? 'part|conformance|rev|amd|corr' : 'conformance'})`;
    const put = (_: string, before: string, after: string) => (level ? before + level + after : '');
    text = text
      .replace(new RegExp(`(<(${name})(?:\\s[^>]*)?>)[^<]*(</\\2\\s*>)`, 'g'), (all, a, _, b) => put(all, a, b))
      .replace(new RegExp(`(\\s${name}\\s*=\\s*)(?:"[^"]*"|'[^']*')`, 'g'), (all, a) => put(all, `${a}"`, '"'));
  }
  return { num: packet.num, text };
}

function packetOf(file: PdfFile): { readonly num: number; readonly text: string } | undefined {
  const metadata = file.dict(file.xref.trailer.get('Root'))?.get('Metadata');
  if (!(metadata instanceof Ref)) return undefined;
  // Metadata that cannot be read claims nothing.
  return unlessRefused(undefined, () => {
    const bytes = file.streamBytes(metadata.num, MOST_METADATA)?.bytes;
    return bytes === undefined ? undefined : { num: metadata.num, text: decoded(bytes) };
  });
}

/** The packet as text: UTF-8, or as its byte order mark or first bracket tells (XMP, part 1, 7.2). */
export function decoded(bytes: Uint8Array): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  const isMarked = first + second === 0xfe + 0xff;
  if (first === 0 && second === 0) return wide(bytes, false);
  if (third === 0 && fourth === 0 && (second === 0 || isMarked)) return wide(bytes, true);
  if (first === 0 || (isMarked && first === 0xfe)) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(second === 0 || isMarked ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** Decodes UTF-32, which TextDecoder does not know. */
function wide(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const point = (at: number): string => String.fromCodePoint(Math.min(view.getUint32(at, isLittle), 0x10ffff));
  return Array.from({ length: bytes.length >> 2 }, (_, i) => point(4 * i)).join('');
}

/** Prefixes that a packet declares for a namespace. */
export function prefixesOf(packet: string, namespace: string): string[] {
  const names = packet.matchAll(/xmlns:([A-Za-z_][\w.-]{0,63})\s*=\s*(["'])([^"']{1,200})\2/g);
  const prefixes = [...names].flatMap(([, prefix = '', , uri]) => (uri === namespace ? [prefix] : []));
  return [...new Set(prefixes)];
}

/** Escapes a name for a regular expression; it has dots and dashes at most. */
export function literal(name: string): string {
  return name.replace(/[.-]/g, '\\$&');
}

/** The value of a property, written as an element or as an attribute. */
function propertyIn(packet: string, name: string): string | undefined {
  const match =
    new RegExp(`<${name}(?:\\s[^>]*)?>\\s*([\\w.]{1,20})\\s*</`).exec(packet) ??
    new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\w.]{1,20})\\s*["']`).exec(packet);
  return match?.[1];
}
