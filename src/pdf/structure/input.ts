import { Failure } from '../../contract/failure.ts';
import type { Copier } from '../file/copy/copier.ts';
import { catalogOf } from '../file/read/entries.ts';
import type { PageTree } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Source } from '../file/read/source.ts';
import { Damage } from '../syntax/damage.ts';
import { serialize } from '../syntax/serialize.ts';
import type { Dict, Value } from '../syntax/values.ts';

export interface Input {
  /** Its place among the inputs of the output. */
  readonly index: number;
  readonly file: PdfFile;
  readonly tree: PageTree;
  readonly catalog: Dict;
  /** The pages that are taken; undefined where these are all, in their order. */
  readonly picked: PickedPages | undefined;
  /** The parts that are too damaged to be kept, in words. */
  readonly lost: Set<string>;
  /** Its objects were found by scanning, so a missing object is in no other place of the file. */
  readonly scanned: boolean;
  /** Caches what `readOnce` read for all outputs. */
  readonly readings: Map<(input: Input) => unknown, unknown>;
}

/** Pages of a source in the order of the output, by their places from 0. One may be taken several times. */
export class PickedPages {
  readonly places: readonly number[];
  private readonly taken: ReadonlySet<number>;

  constructor(places: readonly number[]) {
    this.places = places;
    this.taken = new Set(places);
  }

  has(place: number): boolean {
    return this.taken.has(place);
  }
}

/** A source as an input. `picked`: places of the pages that are taken, where these are not all in their order. */
export function inputOf({ file, tree, scanned }: Source, index = 0, picked?: readonly number[]): Input {
  return {
    index,
    file,
    tree,
    catalog: catalogOf(file),
    picked: picked === undefined ? undefined : new PickedPages(picked),
    lost: new Set(),
    scanned,
    readings: new Map(),
  };
}

/** The same source with other pages taken. It shares what was read already. */
export function picking(input: Input, places: readonly number[]): Input {
  return { ...input, picked: new PickedPages(places) };
}

export function pickedCount({ picked, tree }: Input): number {
  return (picked?.places ?? tree.pages).length;
}

/** Reads a part of the source at its first use, once for all outputs. */
export function readOnce<T>(input: Input, read: (input: Input) => T): T {
  const { readings } = input;
  if (!readings.has(read)) readings.set(read, read(input));
  return readings.get(read) as T; // what this very function gave
}

/** An input whose pages have numbers in the output, so that what refers to them can be written. */
export interface Numbered {
  readonly copier: Copier;
  /** Output numbers of its pages, in order. */
  readonly pages: readonly number[];
}

/** Reads a part of an input. A damaged part is left out and noted, for the pages matter more. `what`: a plural. */
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
