// The encoding inside a font program: names of glyphs by code.

import type { PdfFile } from '../file/read/pdf-file.ts';
import { Ref, type Value } from '../syntax/values.ts';
import { openCff } from './programs/cff-program.ts';
import { STANDARD_ENCODING } from './programs/standard-strings.ts';

const CAP = 32 << 20;

/** The encoding of a Type 1 program; empty where it has none. */
export function type1Encoding(file: PdfFile, value: Value | undefined): ReadonlyMap<number, string> {
  const bytes = bytesOf(file, value) ?? new Uint8Array();
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('eexec');
  const clear = Buffer.from(bytes.buffer, bytes.byteOffset, end < 0 ? bytes.length : end).toString('latin1');
  const start = clear.indexOf('/Encoding');
  if (start < 0) return new Map();
  const text = clear.slice(start + '/Encoding'.length);
  if (/^\s*StandardEncoding\b/.test(text)) return STANDARD_ENCODING;
  const names = new Map<number, string>();
  for (const [, code, name = ''] of text.matchAll(/\bdup\s+(\d+)\s*\/(\S+)\s+put\b/g)) names.set(Number(code), name);
  return names;
}

export function cffEncoding(file: PdfFile, value: Value | undefined): ReadonlyMap<number, string> | undefined {
  const bytes = bytesOf(file, value);
  if (bytes === undefined) return undefined;
  try {
    const program = openCff(bytes);
    const names = program?.names;
    if (program === undefined || names === undefined) return undefined;
    if (program.encoding === undefined) return STANDARD_ENCODING;
    return new Map([...program.encoding].map(([code, glyph]) => [code, names[glyph] ?? '.notdef']));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function bytesOf(file: PdfFile, value: Value | undefined): Uint8Array | undefined {
  return value instanceof Ref ? file.streamBytes(value.num, CAP)?.bytes : undefined;
}
