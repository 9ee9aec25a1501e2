// Facts that only the objects of a document tell: scripts, fonts, signatures. Each object is visited once.
import type { Page, PageTree } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { find, HASH, latin1, padded } from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { decodeName } from '../../syntax/parser.ts';
import { KEYS, NAMES, type Scan, scanValue } from '../../syntax/scan.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { WATCHED } from '../../syntax/watched-names.ts';
import { type FontUse, fontUse } from './fonts.ts';

export interface Reached {
  javascript: boolean;
  /** Actions that start programs. */
  launch: boolean;
  signatures: number;
  readonly fonts: FontUse[];
  /** File specifications of annotations that carry a file. */
  readonly attached: Value[];
  /** Objects that could not be read. */
  unreadable: number;
}

/** Visits every object the trailer leads to, wave by wave in the order of the file. Damaged ones are counted. */
export function reach(file: PdfFile): Reached {
  const trailer = [...file.xref.trailer.values()].filter((value) => value instanceof Ref).map(({ num }) => num);
  return reachFrom(file, trailer, new Uint8Array(file.xref.size));
}

/** The fonts that some pages lead to, and not by way of other pages. */
export function fontsOn(file: PdfFile, { pages, nodes }: PageTree, wanted: ReadonlySet<Page>): readonly FontUse[] {
  const seen = new Uint8Array(file.xref.size);
  for (const num of nodes) seen[num] = 1;
  const from: number[] = [];
  for (const page of pages) {
    if (!wanted.has(page)) seen[page.num] = 1;
    else {
      const own = [page.direct, ...Object.values(page.inherited)].filter((bytes) => bytes !== undefined);
      from.push(page.num, ...own.flatMap((bytes) => [...(scanValue(padded(bytes), 0)?.references() ?? [])]));
    }
  }
  return reachFrom(file, from, seen).fonts;
}

function reachFrom(file: PdfFile, from: readonly number[], seen: Uint8Array): Reached {
  const found: Reached = { javascript: false, launch: false, signatures: 0, fonts: [], attached: [], unreadable: 0 };
  let todo = [...from];
  while (todo.length > 0) {
    const wave = todo.sort((a, b) => a - b);
    todo = [];
    for (const num of wave) {
      if (num >= seen.length || seen[num] === 1) continue;
      seen[num] = 1;
      try {
        const object = file.scanObject(num, KEYS | NAMES);
        if (object === undefined) continue;
        for (const ref of object.references()) if (seen[ref] === 0) todo.push(ref);
        look(file, object, found);
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        found.unreadable += 1;
      }
    }
  }
  return found;
}

function look(file: PdfFile, object: Scan, found: Reached): void {
  const { bytes, start, end, num } = object;
  let { names } = object;
  // A name may be spelt with #xx; writers do so only to hide it.
  if (bytes.subarray(start, end).includes(HASH)) names |= hidden(decodeName(latin1(bytes, start, end)));
  if ((names & WATCHED.JavaScript) !== 0) found.javascript = true;
  if ((names & WATCHED.Launch) !== 0) found.launch = true;
  if (object.valueOf('ByteRange') !== undefined) found.signatures += 1;
  const attaches = object.valueOf('FS') !== undefined && find(bytes, 'FileAttachment', start, end) >= 0;
  const interesting = attaches || object.valueOf('BaseFont') !== undefined || object.valueOf('CharProcs') !== undefined;
  if (!interesting) return;
  const dict = file.object(num);
  if (!(dict instanceof Dict)) return;
  const attached = dict.get('FS');
  if (attached !== undefined) found.attached.push(attached);
  const use = fontUse(file, dict);
  if (use !== undefined) found.fonts.push(use);
}

function hidden(text: string): number {
  return (text.includes('/JavaScript') ? WATCHED.JavaScript : 0) | (text.includes('/Launch') ? WATCHED.Launch : 0);
}
