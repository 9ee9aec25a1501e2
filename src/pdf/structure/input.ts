import { Failure } from '../../contract/base/failure.ts';
import type { Copier } from '../file/copy/copier.ts';
import { catalogOf } from '../file/read/entries.ts';
import type { PageTree } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Source } from '../file/read/source.ts';
import { Damage } from '../syntax/damage.ts';
import { serialize } from '../syntax/serialize.ts';
import type { Dict, Value } from '../syntax/values.ts';

export interface Input {
  /** Its index among the inputs of the output. */
  readonly index: number;
  readonly file: PdfFile;
  readonly tree: PageTree;
  readonly catalog: Dict;
  /** The pages to take; undefined for all in order. */
  readonly picked: PickedPages | undefined;
  /** Parts that are too damaged to keep, in words. */
  readonly lost: Set<string>;
  /** Its objects were found by scanning, so a missing object is nowhere else in the file. */
  readonly scanned: boolean;
  readonly readings: Map<(input: Input) => unknown, unknown>;
}

/** Picked pages in output order, by their indexes from 0. A page may be taken several times. */
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

/** A source as an input. `picked`: indexes of the pages to take, where these are not all in order. */
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

/** The same source with other pages picked. It shares what was read already. */
export function picking(input: Input, places: readonly number[]): Input {
  return { ...input, picked: new PickedPages(places) };
}

export function pickedCount({ picked, tree }: Input): number {
  return (picked?.places ?? tree.pages).length;
}

export function readOnce<T>(input: Input, read: (input: Input) => T): T {
  const { readings } = input;
  if (!readings.has(read)) readings.set(read, read(input));
  return readings.get(read) as T; // what this very function gave
}

/** An input whose pages have output numbers, so that references to them can be written. */
export interface Numbered {
  readonly copier: Copier;
  /** Output numbers of its pages, in order. */
  readonly pages: readonly number[];
}

/** Reads a part of an input. A damaged part is left out and noted: the pages matter more. `what`: in the plural. */
export function readOrLeave<T>(input: Input, what: string, instead: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    // The table may be wrong and the part intact: the file is then read again, by scanning.
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

/** Throws where there are more items than any document has. `what`: in the plural, such as bookmarks. */
export function checkCount(file: PdfFile, count: number, what: string): void {
  if (count <= MAX_ITEMS) return;
  const limit = MAX_ITEMS.toLocaleString('en');
  throw new Failure('unprocessable', `${file.name} has more than ${limit} ${what}`, { kind: 'limit' });
}

/** A value of an input as text of the output; objects it refers to are queued for copying. */
export function valueText(value: Value, copier: Copier): string {
  return serialize(value, ({ num }) => copier.reference(num));
}
