import type { PageTree } from './page-tree.ts';
import type { PdfFile } from './pdf-file.ts';

export interface Source {
  readonly file: PdfFile;
  readonly tree: PageTree;
  /** Its objects were found by scanning, so that there is no other way left to read it. */
  readonly scanned: boolean;
  /** Other readers were asked about its pages when it was opened. */
  readonly settled?: boolean;
  readonly notes?: readonly string[];
  /** Where objects were replaced in memory: the file without that, and their numbers. */
  readonly revision?: { readonly base: PdfFile; readonly nums: readonly number[] };
}

/** Several inputs up to this many bytes together stay in memory between opening and work; larger ones are read twice. */
export const MOST_HELD = 16 << 20;
