import type { PdfFile } from '../../file/read/pdf-file.ts';
import { PLAIN } from '../../file/read/xref-table.ts';
import { MOST_CONTENT } from '../../page/contents.ts';
import { Damage } from '../../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';

/** Deflate makes at most 1,032 bytes of one: a shorter stream stays below the cap, unless it is deflated twice. */
const SUSPECT = MOST_CONTENT / 1_032;

/** @throws Failure of kind `limit` where a stream holds too much. Images are left out: they are not decoded. */
export function refuseBombs(file: PdfFile): void {
  const { xref } = file;
  const plain: { num: number; place: number }[] = [];
  for (const [num, place] of xref.place.subarray(0, xref.size).entries())
    if (xref.kind[num] === PLAIN) plain.push({ num, place });
  plain.sort((a, b) => a.place - b.place);
  for (const [i, { num, place }] of plain.entries()) {
    const extent = (plain[i + 1]?.place ?? file.size) - place;
    try {
      const dict = file.object(num);
      if (!(dict instanceof Dict) || !dict.has('Filter') || isImage(dict)) continue;
      if (extent < SUSPECT && !deflatedTwice(file, dict.get('Filter'))) continue;
      file.streamBytes(num, MOST_CONTENT);
    } catch (error) {
      // A damaged stream is reported where its page is read; it holds nothing to inflate here.
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
