import type { PdfFile } from '../../file/read/pdf-file.ts';
import { encodingValue } from '../../fonts/encoding-differences.ts';
import { convertType1 } from '../../fonts/programs/type1-to-cff.ts';
import type { Use } from '../../fonts/subset/font-use.ts';
import { subsetProgram } from '../../fonts/subset/subset-program.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict, type Value } from '../../syntax/values.ts';

/** More than any font program holds, in bytes. */
const CAP = 32 << 20;

export interface Program {
  readonly entry: 'FontFile' | 'FontFile2' | 'FontFile3';
  readonly subtype: string | undefined;
  readonly bytes: Uint8Array;
  /** /Encoding for a font without one: the program's built-in encoding is lost in the conversion. */
  readonly encoding?: Value;
  readonly pruned: boolean;
}

/** The font program of a stream without unused glyphs, or at least without its names and notices. */
export function programOf(
  file: PdfFile,
  entry: Program['entry'],
  num: number,
  uses: readonly Use[],
): Program | undefined {
  const stream = file.streamBytes(num, CAP);
  if (stream === undefined) return undefined;
  const { bytes, dict } = stream;
  const subtype = dict.name('Subtype');
  if (entry === 'FontFile' && uses.length > 0) {
    const made = convertType1(bytes);
    if ('cff' in made) {
      const encoding = new Parser(Buffer.from(`${encodingValue(made.encoding)} `)).value();
      const named = uses.map((use) =>
        use.font.has('Encoding') ? use : { ...use, font: new Dict([...use.font, ['Encoding', encoding]]) },
      );
      const subset = subsetProgram(file, made.cff, named);
      if (subset !== undefined) return { entry: 'FontFile3', subtype: 'Type1C', bytes: subset, encoding, pruned: true };
    }
  } else if (uses.length > 0) {
    const subset = subsetProgram(file, bytes, uses);
    if (subset !== undefined) return { entry, subtype, bytes: subset, pruned: true };
  }
  return { entry, subtype, bytes: withoutNotices(bytes), pruned: false };
}

/** Entries of a Type 1 program's clear part that are for people to read. */
const NOTICES = /\/(Notice|Copyright|FullName|FamilyName|version)\s*\(((?:[^()\\]|\\.|\([^()]*\))*)\)/g;

/** Blanks names and notices in place, so that no offset changes. */
function withoutNotices(bytes: Uint8Array): Uint8Array {
  const out = Uint8Array.from(bytes);
  const view = new DataView(out.buffer);
  if (out.length > 12 && [0x00010000, 0x74727565, 0x4f54544f].includes(view.getUint32(0))) {
    const count = view.getUint16(4);
    for (let at = 12; at + 16 <= Math.min(out.length, 12 + 16 * count); at += 16) {
      if (Buffer.from(out.subarray(at, at + 4)).toString('latin1') !== 'name') continue;
      const [from, length] = [view.getUint32(at + 8), view.getUint32(at + 12)];
      if (from + length <= out.length && length >= 6) {
        out.fill(0, from, from + length);
        // An empty name table: string storage starts at byte 6.
        out[from + 5] = 6;
      }
    }
    return out;
  }
  const end = Buffer.from(out.buffer).indexOf('eexec');
  if (end < 0) return out;
  const clear = Buffer.from(out.subarray(0, end)).toString('latin1');
  for (const { index, 0: whole, 2: notice = '' } of clear.matchAll(NOTICES)) {
    const from = index + whole.length - notice.length - 1;
    out.fill(0x20, from, from + notice.length);
  }
  return out;
}
