import type { PdfFile } from '../../read/pdf-file.ts';
import { PLAIN } from '../../read/xref-table.ts';
import { Damage } from '../../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';

/** More than any page, font or character map inflates to, in bytes: 20 times the largest of 3,000 real documents. */
const CAP = 96 * 1024 * 1024;
/** Deflate makes at most 1,032 bytes of one: a shorter stream stays below the cap, unless it is deflated twice. */
const SUSPECT = CAP / 1_032;

/** @throws Failure of kind `limit` where a stream holds too much. Images are left out: they are not decoded. */
export function refuseBombs(file: PdfFile): void {
  const { xref } = file;
  const plain: number[] = [];
  for (let num = 0; num < xref.size; num++) if (xref.kind[num] === PLAIN) plain.push(num);
  plain.sort((a, b) => xref.place[a]! - xref.place[b]!);
  for (const [i, num] of plain.entries()) {
    const next = plain[i + 1];
    const extent = (next === undefined ? file.size : xref.place[next]!) - xref.place[num]!;
    try {
      const dict = file.object(num);
      if (!(dict instanceof Dict) || !dict.has('Filter') || isImage(dict)) continue;
      if (extent < SUSPECT && !deflatedTwice(file, dict.get('Filter'))) continue;
      file.streamBytes(num, CAP);
    } catch (error) {
      // What cannot be read here cannot be inflated either, or is met again where its page is read.
      if (!(error instanceof Damage)) throw error;
    }
  }
}

function isImage(dict: Dict): boolean {
  const subtype = dict.get('Subtype');
  return subtype instanceof Name && subtype.value === 'Image';
}

function deflatedTwice(file: PdfFile, filter: Value | undefined): boolean {
  const value = filter instanceof Ref ? file.resolve(filter) : filter;
  return (
    Array.isArray(value) &&
    value.filter((name) => name instanceof Name && /^(Fl|LZW|RL|Run)/.test(name.value)).length > 1
  );
}
