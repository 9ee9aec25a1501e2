import type { PageTree } from './page-tree.ts';
import type { PdfFile } from './pdf-file.ts';

export interface Source {
  readonly file: PdfFile;
  readonly tree: PageTree;
  /** Its objects were found by scanning: there is no other way left to read the file. */
  readonly scanned: boolean;
  /** Other readers were asked about its pages when it was opened. */
  readonly settled?: boolean;
  readonly notes?: readonly string[];
  /** For objects replaced in memory: the file without the replacements, and their numbers. */
  readonly revision?: { readonly base: PdfFile; readonly nums: readonly number[] };
}

/** Inputs of up to this many bytes together stay in memory between opening and work; larger ones are read twice. */
export const MOST_HELD = 16 << 20;
