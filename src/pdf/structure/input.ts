import { Failure } from '../../contract/failure.ts';
import type { Copier } from '../copy/copier.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { Damage } from '../syntax/damage.ts';
import { serialize } from '../syntax/serialize.ts';
import { Dict, type Value } from '../syntax/values.ts';

/** A file that goes into the output, in the order given. */
export interface Input {
  readonly index: number;
  readonly file: PdfFile;
  readonly catalog: Dict;
  /** How many pages it has, and how many stand before its first. */
  readonly count: number;
  readonly before: number;
  /** What of it is too damaged to be kept, in words. */
  readonly lost: Set<string>;
  /** Its objects were found by scanning: what is not there is nowhere. */
  readonly scanned: boolean;
}

/** The sources as inputs, one behind the other. */
export function inputsOf(sources: readonly Source[]): Input[] {
  let before = 0;
  return sources.map(({ file, tree, scanned }, index) => {
    const count = tree.pages.length;
    before += count;
    return { index, file, catalog: catalogOf(file), count, before: before - count, lost: new Set(), scanned };
  });
}

export function catalogOf(file: PdfFile): Dict {
  return file.dict(file.xref.trailer.get('Root')) ?? new Dict();
}

/** An input whose pages have numbers in the output, so that what refers to them can be written. */
export interface Numbered {
  readonly copier: Copier;
  /** Output numbers of its pages, in order. */
  readonly pages: readonly number[];
}

/** Reads a part of an input. What is damaged is left out and noted: the pages matter more. `what`: a plural. */
export function readOrLeave<T>(input: Input, what: string, instead: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    // Perhaps the table is wrong and all is there: the file is then read again, by scanning.
    if (!input.scanned) {
      error.file ??= input.file;
      throw error;
    }
    input.lost.add(what);
    return instead;
  }
}

/** More bookmarks, names, fields or labels than this are made to exhaust memory; the largest manuals have some 100,000. */
export const MAX_ITEMS = 1_000_000;

/** Throws where there are more items than anybody has. `what`: a plural, such as bookmarks. */
export function checkCount(file: PdfFile, count: number, what: string): void {
  if (count <= MAX_ITEMS) return;
  const limit = MAX_ITEMS.toLocaleString('en');
  throw new Failure('unprocessable', `${file.name} has more than ${limit} ${what}`, { kind: 'limit' });
}

/** A value of an input as text of the output; what it refers to is copied. */
export function valueText(value: Value, copier: Copier): string {
  return serialize(value, ({ num }) => copier.reference(num));
}

/** The elements of an array, references to the array followed; empty where it is none. */
export function listOf(file: PdfFile, value: Value | undefined): readonly Value[] {
  const list = file.resolve(value);
  return Array.isArray(list) ? list : [];
}
