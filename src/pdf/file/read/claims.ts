// Claims in the XMP packet of a document to conform to PDF/A (ISO 19005) or PDF/UA (ISO 14289).
import { unlessRefused } from '../../syntax/damage.ts';
import { Ref } from '../../syntax/values.ts';
import type { PdfFile } from './pdf-file.ts';

const MOST_METADATA = 4 << 20;

const NAMESPACES = {
  'PDF/A': 'http://www.aiim.org/pdfa/ns/id/',
  'PDF/UA': 'http://www.aiim.org/pdfua/ns/id/',
} as const;

export interface Claim {
  readonly standard: keyof typeof NAMESPACES;
  /** Such as 2. */
  readonly part: string;
  /** Such as b; empty where there is none. */
  readonly level: string;
}

/** The standards that a document claims to conform to; whether it does is another question. */
export function claimsOf(file: PdfFile): readonly Claim[] {
  const packet = packetOf(file);
  if (packet === undefined) return [];
  return Object.entries(NAMESPACES).flatMap(([standard, namespace]) => {
    for (const prefix of prefixesOf(packet.text, namespace)) {
      const part = propertyIn(packet.text, `${prefix}:part`);
      if (part === undefined) continue;
      const level = propertyIn(packet.text, `${prefix}:conformance`) ?? '';
      return [{ standard: standard as Claim['standard'], part, level: level.toLowerCase() }]; // a key of NAMESPACES
    }
    return [];
  });
}

/** The part of PDF/A that the document claims, such as 1 or 2; undefined where it claims none. */
export function archivePart(file: PdfFile): string | undefined {
  return claimsOf(file).find(({ standard }) => standard === 'PDF/A')?.part;
}

/** As people write it: PDF/A-2b, PDF/UA-1. */
export function claimText({ standard, part, level }: Claim): string {
  return `${standard}-${part}${level}`;
}

/** The packet without its claim of PDF/A, and the object that holds it; undefined where it makes none. */
export function packetWithoutArchive(file: PdfFile): { readonly num: number; readonly text: string } | undefined {
  const packet = packetOf(file);
  if (packet === undefined || archivePart(file) === undefined) return undefined;
  let { text } = packet;
  for (const prefix of prefixesOf(text, NAMESPACES['PDF/A'])) {
    const name = `${prefix}:(?:part|conformance|rev|amd|corr)`;
    text = text
      .replace(new RegExp(`<(${name})(?:\\s[^>]*)?>[^<]*</\\1\\s*>`, 'g'), '')
      .replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g'), '');
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

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xfe && second === 0xff ? 'utf-16be' : first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

function prefixesOf(packet: string, namespace: string): string[] {
  const names = packet.matchAll(/xmlns:([A-Za-z_][\w.-]{0,63})\s*=\s*(["'])([^"']{1,200})\2/g);
  const prefixes = [...names].flatMap(([, prefix = '', , uri]) => (uri === namespace ? [prefix] : []));
  return [...new Set(prefixes)].map((prefix) => prefix.replace(/[.-]/g, '\\$&'));
}

/** The value of a property, written as an element or as an attribute. */
function propertyIn(packet: string, name: string): string | undefined {
  const found =
    new RegExp(`<${name}(?:\\s[^>]*)?>\\s*([\\w.]{1,20})\\s*</`).exec(packet) ??
    new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\w.]{1,20})\\s*["']`).exec(packet);
  return found?.[1];
}
