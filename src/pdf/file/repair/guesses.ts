/** Reports the guesses of a repair: which of several definitions of an object it took, and the pages that show it. */
import { listAt } from '../../syntax/arrays.ts';
import { padded } from '../../syntax/characters.ts';
import { unlessDamaged } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { refsIn } from '../../syntax/values.ts';
import type { Page, PageTree } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { PLAIN, type XrefTable } from '../read/xref-table.ts';
import { listedNumbers } from './missing-parts.ts';
import type { Recovered } from './recover-table.ts';

type Definition = Recovered['definitions'][number];

export interface Guessed {
  readonly file: PdfFile;
  readonly tree: PageTree;
  readonly recovered: Recovered;
  /** The file's own table, where it can be read. */
  readonly table: XrefTable | undefined;
  readonly mended: ReadonlySet<number>;
  /** Objects whose number in the table differs from the number before them. */
  readonly misnumbered: ReadonlyMap<number, number>;
}

/** Objects that are visited to find the pages of an object; pages beyond are not named. */
const MOST_LOOKED_AT = 100_000;
/** Longer objects are not compared. */
const MOST_COMPARED = 1 << 20;

export function guessesIn(guessed: Guessed): string[] {
  const chosen = choices(guessed);
  const { file, tree, mended, misnumbered } = guessed;
  const seen = pagesWith(file, tree, new Set([...mended, ...misnumbered.keys(), ...chosen.keys()]));
  const told = (nums: Iterable<number>, words: (num: number) => string): string[] => {
    const phrases = new Map<string, number[]>();
    for (const num of nums) {
      const pages = seen.get(num);
      listAt(phrases, words(num).replace('@', pages === undefined ? '' : ` (${listedNumbers(pages)})`)).push(num);
    }
    return [...phrases].map(([phrase, all]) => phrase.replace('#', listedNumbers(all, 'object')));
  };
  return [
    ...told(mended, () => 'what was left of #@ was kept'),
    ...told(misnumbered.keys(), (num) => `#@ found under the number ${misnumbered.get(num)}`),
    ...told(chosen.keys(), (num) => `${chosen.get(num)} was taken as #@`),
  ];
}

/** The definition taken of each object that has several, where neither the table nor a revision decides. */
function choices({ file, recovered, table }: Guessed): Map<number, string> {
  const { xref } = file;
  const all = new Map<number, Definition[]>();
  for (const candidate of recovered.definitions) {
    if (!candidate.endless) listAt(all, candidate.num).push(candidate);
  }
  const chosen = new Map<number, string>();
  for (const [num, list] of all) {
    const at = xref.kind[num] === PLAIN ? list.findIndex(({ offset }) => offset === xref.place[num]) : -1;
    const taken = list[at];
    const others = list.filter((candidate, i) => i !== at && !isSame(file, candidate, list[at] ?? candidate));
    if (taken === undefined || others.length === 0 || isNamed(table, taken) || isNewer(recovered, taken, others))
      continue;
    const which = at === 0 ? 'the first' : at === list.length - 1 ? 'the last' : `number ${at + 1}`;
    chosen.set(num, `${which} of ${list.length}`);
  }
  return chosen;
}

function isNamed(table: XrefTable | undefined, { num, offset }: Definition): boolean {
  return table !== undefined && num < table.size && table.kind[num] === PLAIN && table.place[num] === offset;
}

/** Whether a revision ends between the others and this definition, which then replaces them (ISO 32000-1, 7.5.6). */
function isNewer({ ends }: Recovered, { offset }: Definition, others: readonly Definition[]): boolean {
  return others.every((other) => ends.some((end) => other.offset < end && end < offset));
}

function isSame({ windows }: PdfFile, one: Definition, other: Definition): boolean {
  if (one.length !== other.length || one.length > MOST_COMPARED) return false;
  const bytes = Buffer.from(windows.slice(one.offset, one.length));
  return bytes.equals(windows.slice(other.offset, other.length));
}

/** The pages, from 1, that use each of the objects. */
function pagesWith(file: PdfFile, { pages }: PageTree, wanted: ReadonlySet<number>): Map<number, number[]> {
  const users = new Map<number, number[]>();
  if (wanted.size === 0) return users;
  const isPage = new Set(pages.map(({ num }) => num));
  let looked = 0;
  for (const [i, page] of pages.entries()) {
    const seen = new Set<number>();
    const todo = startOf(page);
    for (let num = todo.pop(); num !== undefined && looked < MOST_LOOKED_AT; num = todo.pop()) {
      if (seen.has(num)) continue;
      seen.add(num);
      looked += 1;
      if (wanted.has(num)) listAt(users, num).push(i + 1);
      if (num !== page.num && isPage.has(num)) continue;
      const object = unlessDamaged(null, () => file.object(num));
      todo.push(...refsIn(object, ELSEWHERE));
    }
  }
  return users;
}

function startOf({ num, inherited }: Page): number[] {
  const above = inherited.Resources;
  return [num, ...(above === undefined ? [] : refsIn(new Parser(padded(above)).value(), ELSEWHERE))];
}

/** Keys that lead up the tree, or to other pages. */
const ELSEWHERE: ReadonlySet<string> = new Set(['Parent', 'P', 'Dest', 'A', 'B']);
