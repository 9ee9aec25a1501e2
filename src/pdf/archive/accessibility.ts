// Finds barriers to reading aloud and navigating (PDF/UA, ISO 14289-1): tags, title, language, order, alternative
// texts. Whether a text describes its picture is for people to judge.
import { catalogOf, listOf, nameAt, numberAt } from '../file/read/entries.ts';
import { annotationsOf, dictOfPage } from '../file/read/page-dict.ts';
import type { Source } from '../file/read/source.ts';
import { checkCount } from '../structure/input.ts';
import { readXmp, valuesInXmp } from '../structure/metadata.ts';
import { textOf } from '../syntax/text-strings.ts';
import { Dict, Ref, type Value } from '../syntax/values.ts';
import type { BrokenRule } from './job.ts';

const HIDDEN = 2;
const HEADING = /^H([1-6])$/;

/** Findings by the clauses of ISO 14289-1. */
export function accessibilityFindings(source: Source): BrokenRule[] {
  const { file, tree } = source;
  const rules: BrokenRule[] = [];
  const note = (clause: string, what: string, object?: number, page?: number) =>
    rules.push({ clause, what, object, page });
  const catalog = catalogOf(file);
  const text = (value: Value | undefined): string => textOf(file.resolve(value)) ?? '';
  const marks = file.dict(catalog.get('MarkInfo'));
  const root = file.dict(catalog.get('StructTreeRoot'));
  if (root === undefined || file.resolve(marks?.get('Marked')) !== true) note('7.1', 'it is not tagged');
  if (file.resolve(marks?.get('Suspects')) === true) note('7.1', 'its tags are said to be doubtful');
  const packet = readXmp(file, catalog.get('Metadata'));
  if (packet === undefined || valuesInXmp(packet).title === undefined) note('7.1', 'its metadata has no title');
  const shown = file.resolve(file.dict(catalog.get('ViewerPreferences'))?.get('DisplayDocTitle'));
  if (shown !== true) note('7.1', 'readers are to show the name of the file, not its title');
  if (text(catalog.get('Lang')) === '' && !hasLanguages(source, root)) note('7.2', 'it does not say its language');
  for (const [i, page] of tree.pages.entries()) {
    const notes = annotationsOf(file, page);
    if (notes.length > 0 && nameAt(file, dictOfPage(file, page), 'Tabs') !== 'S')
      note('7.18.3', 'the tabulator key does not follow the tags', page.num, i + 1);
    for (const item of notes) {
      const link = file.dict(item);
      const isHidden = ((numberAt(file, link, 'F') ?? 0) & HIDDEN) !== 0;
      if (nameAt(file, link, 'Subtype') !== 'Link' || isHidden || text(link?.get('Contents')) !== '') continue;
      note('7.18.5', 'a link does not say where it leads', item instanceof Ref ? item.num : page.num, i + 1);
    }
  }
  const pageOf = new Map(tree.pages.map(({ num }, i) => [num, i + 1]));
  let level = 0;
  for (const { type, dict, num, page } of elements(source, root)) {
    const at = page === undefined ? undefined : pageOf.get(page);
    const hasText = dict.has('Alt') || dict.has('ActualText');
    if (type === 'Figure' && !hasText) note('7.3', 'a figure has no alternative text', num, at);
    if (type === 'Formula' && !hasText) note('7.7', 'a formula has no alternative text', num, at);
    const heading = Number(HEADING.exec(type)?.[1] ?? 0);
    if (heading > level + 1) note('7.4.2', `a heading of level ${heading} follows one of level ${level}`, num, at);
    if (heading > 0) level = heading;
  }
  return rules;
}

/** Whether all elements below the root have a language, their own or an ancestor's. */
function hasLanguages({ file }: Source, root: Dict | undefined): boolean {
  const kids = listOf(file, root?.get('K')).length > 0 ? listOf(file, root?.get('K')) : [root?.get('K')];
  const says = (value: Value | undefined, depth: number): boolean => {
    const dict = file.dict(value);
    if (dict === undefined || dict.has('Lang')) return true;
    const below = listOf(file, dict.get('K'));
    return depth < 3 && below.length > 0 && below.every((kid) => says(kid, depth + 1));
  };
  return root !== undefined && kids.every((kid) => says(kid, 0));
}

interface Element {
  /** Its standard type, such as H1. */
  readonly type: string;
  readonly dict: Dict;
  readonly num: number | undefined;
  /** The object number of its page. */
  readonly page: number | undefined;
}

function* elements({ file }: Source, root: Dict | undefined): Generator<Element> {
  const roles = file.dict(root?.get('RoleMap'));
  const seen = new Set<number>();
  const todo: [value: Value | undefined, page: number | undefined][] = [[root?.get('K'), undefined]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [value, above] = next;
    if (value instanceof Ref) {
      if (seen.has(value.num)) continue;
      seen.add(value.num);
      checkCount(file, seen.size, 'tags');
    }
    const item = file.resolve(value);
    if (Array.isArray(item)) {
      for (const kid of item.toReversed()) todo.push([kid, above]);
      continue;
    }
    if (!(item instanceof Dict)) continue;
    const pageRef = item.get('Pg');
    const page = pageRef instanceof Ref ? pageRef.num : above;
    let type = nameAt(file, item, 'S');
    for (let i = 0; i < 8 && type !== undefined && roles?.has(type) === true; i++) type = nameAt(file, roles, type);
    const num = value instanceof Ref ? value.num : undefined;
    if (type !== undefined) yield { type, dict: item, num, page };
    todo.push([item.get('K'), page]);
  }
}
