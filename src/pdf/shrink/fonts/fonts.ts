import type { PdfFile } from '../../file/read/pdf-file.ts';
import { convertType1 } from '../../fonts/programs/type1-to-cff.ts';
import { MOST_FONT } from '../../fonts/subset/subset-program.ts';
import { Dict, Ref } from '../../syntax/values.ts';
import { DESCRIPTOR, FONT, type Survey } from '../objects/survey.ts';

/** Font programs that all their descriptors name as Type 1 programs. */
export interface FontPlan {
  /** Font program streams to convert, by object number. */
  readonly programs: ReadonlySet<number>;
  /** The program of each descriptor. */
  readonly descriptors: ReadonlyMap<number, number>;
  /** The descriptor of each simple font without an encoding of its own. */
  readonly unencoded: ReadonlyMap<number, number>;
}

/** `same`: replaces each object by its representative. Only fonts whose every use is understood are planned for. */
export function planFonts(file: PdfFile, survey: Survey, same: Int32Array): FontPlan {
  const descriptors = new Map<number, number>();
  const unencoded = new Map<number, number>();
  const refused = new Set<number>();
  for (const num of survey.objects) {
    if ((survey.marks(num) & (DESCRIPTOR | FONT)) === 0) continue;
    const dict = file.object(num);
    if (!(dict instanceof Dict)) continue;
    const program = dict.get('FontFile');
    if (program instanceof Ref) {
      const target = same[program.num] ?? program.num;
      if (dict.has('FontFile2') || dict.has('FontFile3')) refused.add(target);
      else descriptors.set(num, target);
    }
    const descriptor = dict.get('FontDescriptor');
    if (!(descriptor instanceof Ref)) continue;
    const target = same[descriptor.num] ?? descriptor.num;
    const subtype = dict.name('Subtype');
    if (subtype === 'Type1' && !dict.has('Encoding')) unencoded.set(num, target);
    if (subtype !== 'Type1') {
      const other = file.dict(descriptor)?.get('FontFile');
      if (other instanceof Ref) refused.add(same[other.num] ?? other.num);
    }
  }
  for (const [num, program] of descriptors) if (refused.has(program)) descriptors.delete(num);
  return { programs: new Set(descriptors.values()), descriptors, unencoded };
}

/** Converts the program to CFF with its own encoding; else the reason why not. */
export function convertProgram(
  file: PdfFile,
  num: number,
): { cff: Uint8Array; encoding: ReadonlyMap<number, string> } | { reason: string } {
  const decoded = file.streamBytes(num, MOST_FONT);
  if (decoded === undefined) return { reason: 'its stream has an unknown filter' };
  return convertType1(decoded.bytes);
}
