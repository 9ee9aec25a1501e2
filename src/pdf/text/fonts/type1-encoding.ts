import { STANDARD_ENCODING } from '../../fonts/standard-strings.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import { Ref, type Value } from '../../syntax/values.ts';

/** More than any font program holds, in bytes. */
const CAP = 32 << 20;

/** Names of glyphs by code; empty where the program has none. */
export function builtInEncoding(file: PdfFile, value: Value | undefined): ReadonlyMap<number, string> {
  if (!(value instanceof Ref)) return new Map();
  const bytes = file.streamBytes(value.num, CAP)?.bytes ?? new Uint8Array();
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('eexec');
  const clear = Buffer.from(bytes.buffer, bytes.byteOffset, end < 0 ? bytes.length : end).toString('latin1');
  const start = clear.indexOf('/Encoding');
  if (start < 0) return new Map();
  const text = clear.slice(start + '/Encoding'.length);
  if (/^\s*StandardEncoding\b/.test(text)) return STANDARD_ENCODING;
  const names = new Map<number, string>();
  for (const [, code, name] of text.matchAll(/\bdup\s+(\d+)\s*\/(\S+)\s+put\b/g)) names.set(Number(code), name!);
  return names;
}
