import { listOf } from '../../file/read/entries.ts';
import { annotationsOf } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { type Appearance, appearanceOf, isHiddenAnnotation } from '../../page/annotations.ts';
import { rectOf } from '../../page/boxes.ts';
import { boundsOf, meets, type Rect } from '../../page/geometry.ts';
import type { DestinationPages } from '../../structure/destination-pages.ts';
import { type Dict, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import type { LayerView } from '../objects/layers.ts';
import { type DrawnValue, drawnValue } from './field-values.ts';

export interface Link {
  /** Its object number; 0 for a direct object. */
  readonly num: number;
  readonly rect: Rect;
  /** An address, or the number of a page, from 0. */
  readonly to: string | number;
}

export interface Annotations {
  readonly appearances: readonly Appearance[];
  /** Values of fields without an appearance. */
  readonly values: readonly DrawnValue[];
  readonly links: readonly Link[];
  readonly counts: ReadonlyMap<string, number>;
}

const MOST = 100_000;

/** Surveys the appearances and the link targets of a page's annotations. `without`: kept fields, which are not drawn. */
export function surveyAnnotations(
  file: PdfFile,
  page: Page,
  layers: LayerView,
  destinations: DestinationPages,
  without: ReadonlyMap<number, unknown> = new Map(),
): Annotations {
  const appearances: Appearance[] = [];
  const values: DrawnValue[] = [];
  const links: Link[] = [];
  const counts = new Map<string, number>();
  for (const item of annotationsOf(file, page).slice(0, MOST)) {
    const dict = file.dict(item);
    const subtype = file.resolve(dict?.get('Subtype'));
    if (dict === undefined || !(subtype instanceof Name)) continue;
    counts.set(subtype.value, (counts.get(subtype.value) ?? 0) + 1);
    const rect = rectOf(file, dict.get('Rect'));
    if (isHiddenAnnotation(file, dict) || rect === undefined || !layers.shows(dict.get('OC'))) continue;
    if (subtype.value === 'Link') {
      const to = targetOf(file, dict, destinations);
      if (to !== undefined) links.push({ num: item instanceof Ref ? item.num : 0, rect, to });
    }
    const isDrawn = subtype.value !== 'Popup' && !(item instanceof Ref && without.has(item.num));
    if (!isDrawn) continue;
    const appearance = appearanceOf(file, dict);
    if (appearance !== undefined) appearances.push(appearance);
    const value = drawnValue(file, dict, appearance);
    if (value !== undefined) values.push(value);
  }
  return { appearances, values, links, counts };
}

/** A web or mail address, or a page; other actions are dropped, since they may do or hold anything. */
function targetOf(file: PdfFile, dict: Dict, destinations: DestinationPages): string | number | undefined {
  const action = file.dict(dict.get('A'));
  const kind = file.resolve(action?.get('S'));
  if (kind instanceof Name && kind.value === 'URI') {
    const address = file.resolve(action?.get('URI'));
    if (!(address instanceof PdfString)) return undefined;
    const text = Buffer.from(address.bytes).toString('latin1');
    return /^(https?|mailto):[!-~]{1,2000}$/i.test(text) ? text : undefined;
  }
  return destinations.pageOfAction(dict.get('A')) ?? destinations.pageOf(dict.get('Dest'));
}

export function touches({ rect }: Link, boxes: readonly Rect[]): boolean {
  return boxes.some((box) => meets(box, rect));
}

/** Kinds that every viewer draws even without an appearance, with the entry of their colour. */
const MARKS: Readonly<Record<string, 'IC' | 'C'>> = {
  Square: 'IC',
  Circle: 'IC',
  Polygon: 'IC',
  Redact: 'IC',
  Highlight: 'C',
  Ink: 'C',
  Stamp: 'C',
};
/** A highlight darker than this (1 is white) hides what is under it. */
const DARK = 0.45;
/** A pen stroke covers letters from this width, in points. */
const BROAD = 4;

/** Boxes of a page covered by annotations without an appearance, as viewers draw them. */
export function annotationCovers({ file, tree }: Source, page: number, layers: LayerView): Rect[] {
  const annotations = tree.pages.slice(page, page + 1).flatMap((it) => annotationsOf(file, it));
  return annotations.slice(0, MOST).flatMap((item) => {
    const dict = file.dict(item);
    const kind = dict?.name('Subtype') ?? '';
    if (dict === undefined || !Object.hasOwn(MARKS, kind) || isHiddenAnnotation(file, dict)) return [];
    if (!layers.shows(dict.get('OC')) || appearanceOf(file, dict) !== undefined) return [];
    return coversOf(file, dict, kind);
  });
}

function coversOf(file: PdfFile, dict: Dict, kind: string): Rect[] {
  const rect = rectOf(file, dict.get('Rect'));
  if (rect === undefined || (dict.number('CA') ?? 1) < DARK) return [];
  const numbers = (value: Value | undefined) =>
    listOf(file, value)
      .map((item) => file.resolve(item))
      .filter((item) => typeof item === 'number');
  const colour = numbers(dict.get(MARKS[kind] ?? 'C'));
  if (kind === 'Stamp') return [rect];
  const quads = numbers(dict.get('QuadPoints'));
  const boxes: Rect[] = [];
  for (let i = 0; i + 7 < quads.length; i += 8) {
    boxes.push(boundsOf([0, 2, 4, 6].map((at) => [quads[i + at] ?? 0, quads[i + at + 1] ?? 0])));
  }
  const areas = boxes.length > 0 ? boxes : [rect];
  // Text that is marked for redaction, and is still there, was never redacted.
  if (kind === 'Redact') return areas;
  if (kind === 'Ink') {
    const width = file.dict(dict.get('BS'))?.number('W') ?? 1;
    return width >= BROAD ? [rect] : [];
  }
  if (colour.length === 0) return [];
  // A highlight multiplies its colour with what is below.
  return kind !== 'Highlight' || lightness(colour) < DARK ? areas : [];
}

/** Lightness, 0 to 1, of a grey, RGB or CMYK colour. */
function lightness([a = 0, b, c = 0, d]: readonly number[]): number {
  if (b === undefined) return a;
  if (d === undefined) return 0.3 * a + 0.59 * b + 0.11 * c;
  return (1 - (0.3 * a + 0.59 * b + 0.11 * c)) * (1 - d);
}
