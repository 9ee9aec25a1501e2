import { boundsOf, type Matrix, meets, quadOf, type Rect } from '../../geometry.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { matrixOf } from '../content/glyph-font.ts';
import type { LayerView } from './layers.ts';

/** An appearance that is drawn on the page, for the annotation that had it is gone. */
export interface Appearance {
  /** Its form. */
  readonly form: Ref;
  readonly matrix: Matrix;
}

export interface Link {
  readonly rect: Rect;
  /** An address, or the number of a page, from 0. */
  readonly to: string | number;
}

export interface Annotations {
  readonly appearances: readonly Appearance[];
  readonly links: readonly Link[];
  /** How many of a kind there are. */
  readonly counts: ReadonlyMap<string, number>;
}

const HIDDEN = 0x02;
const NO_VIEW = 0x20;
const MOST = 100_000;

/** What a page's annotations show, and where its links lead. */
export function annotationsOf(
  file: PdfFile,
  page: Dict,
  layers: LayerView,
  pageOf: (ref: Ref) => number | undefined,
): Annotations {
  const list = file.resolve(page.get('Annots'));
  const appearances: Appearance[] = [];
  const links: Link[] = [];
  const counts = new Map<string, number>();
  for (const item of Array.isArray(list) ? list.slice(0, MOST) : []) {
    const dict = file.dict(item);
    const subtype = file.resolve(dict?.get('Subtype'));
    if (dict === undefined || !(subtype instanceof Name)) continue;
    counts.set(subtype.value, (counts.get(subtype.value) ?? 0) + 1);
    const flags = file.resolve(dict.get('F'));
    const bits = typeof flags === 'number' ? flags : 0;
    const rect = rectOf(file, dict.get('Rect'));
    if ((bits & (HIDDEN | NO_VIEW)) !== 0 || rect === undefined || !layers.shows(dict.get('OC'))) continue;
    if (subtype.value === 'Link') {
      const to = targetOf(file, dict, pageOf);
      if (to !== undefined) links.push({ rect, to });
    }
    const form = subtype.value === 'Popup' ? undefined : normalAppearance(file, dict);
    const matrix = form === undefined ? undefined : placeOf(file, form, rect);
    if (form !== undefined && matrix !== undefined) appearances.push({ form, matrix });
  }
  return { appearances, links, counts };
}

/** What is seen of an annotation, in the state that it is in, and where on its page; undefined where that is nothing. */
export function appearanceOf(file: PdfFile, dict: Dict): Appearance | undefined {
  const flags = file.resolve(dict.get('F'));
  const rect = rectOf(file, dict.get('Rect'));
  if (rect === undefined || ((typeof flags === 'number' ? flags : 0) & (HIDDEN | NO_VIEW)) !== 0) return undefined;
  const form = normalAppearance(file, dict);
  const matrix = form === undefined ? undefined : placeOf(file, form, rect);
  return form === undefined || matrix === undefined ? undefined : { form, matrix };
}

function normalAppearance(file: PdfFile, dict: Dict): Ref | undefined {
  const normal = file.dict(dict.get('AP'))?.get('N');
  const found = file.dict(normal);
  if (found === undefined) return undefined;
  if (normal instanceof Ref && isForm(found)) return normal;
  // One form for each state of a box that can be ticked.
  const state = file.resolve(dict.get('AS'));
  const chosen = state instanceof Name ? found.get(state.value) : undefined;
  return chosen instanceof Ref && isForm(file.dict(chosen)) ? chosen : undefined;
}

/** Forms have a box; dictionaries of states have none. */
function isForm(dict: Dict | undefined): boolean {
  return dict?.has('BBox') === true;
}

/** The matrix that takes the box of a form to the annotation's rectangle (12.5.5, algorithm 8.1). */
function placeOf(file: PdfFile, form: Ref, rect: Rect): Matrix | undefined {
  const dict = file.dict(form);
  const box = rectOf(file, dict?.get('BBox'));
  if (box === undefined) return undefined;
  const own = matrixOf(file, dict?.get('Matrix')) ?? [1, 0, 0, 1, 0, 0];
  const around = boundsOf(quadOf(box, own));
  const [wide, high] = [around.x1 - around.x0, around.y1 - around.y0];
  if (!(wide > 0 && high > 0)) return undefined;
  const [sx, sy] = [(rect.x1 - rect.x0) / wide, (rect.y1 - rect.y0) / high];
  return [sx, 0, 0, sy, rect.x0 - around.x0 * sx, rect.y0 - around.y0 * sy];
}

export function rectOf(file: PdfFile, value: Value | undefined): Rect | undefined {
  const list = file.resolve(value);
  if (!Array.isArray(list) || list.length !== 4) return undefined;
  const [a, b, c, d] = list.map((item) => file.resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  return { x0: Math.min(a, c), y0: Math.min(b, d), x1: Math.max(a, c), y1: Math.max(b, d) };
}

/** Addresses of the web and pages of the document; nothing else is kept, for it may do or hold anything. */
function targetOf(file: PdfFile, dict: Dict, pageOf: (ref: Ref) => number | undefined): string | number | undefined {
  const action = file.dict(dict.get('A'));
  const kind = file.resolve(action?.get('S'));
  if (kind instanceof Name && kind.value === 'URI') {
    const address = file.resolve(action?.get('URI'));
    if (!(address instanceof PdfString)) return undefined;
    const text = Buffer.from(address.bytes).toString('latin1');
    return /^(https?|mailto):[!-~]{1,2000}$/i.test(text) ? text : undefined;
  }
  const target = kind instanceof Name && kind.value === 'GoTo' ? action?.get('D') : dict.get('Dest');
  return pageAt(file, target, pageOf);
}

/** The page a destination leads to; by way of its name, where it has one. */
function pageAt(file: PdfFile, value: Value | undefined, pageOf: (ref: Ref) => number | undefined): number | undefined {
  const found = file.resolve(value);
  if (Array.isArray(found)) return found[0] instanceof Ref ? pageOf(found[0]) : undefined;
  if (found instanceof Dict) return pageAt(file, file.resolve(found.get('D')), pageOf);
  const catalog = file.dict(file.xref.trailer.get('Root'));
  if (found instanceof Name) {
    const named = file.resolve(file.dict(catalog?.get('Dests'))?.get(found.value));
    return named === null || named instanceof Name || named instanceof PdfString
      ? undefined
      : pageAt(file, named, pageOf);
  }
  if (!(found instanceof PdfString)) return undefined;
  const named = lookUp(file, file.dict(catalog?.get('Names'))?.get('Dests'), Buffer.from(found.bytes), 0);
  return named === undefined || named instanceof PdfString ? undefined : pageAt(file, named, pageOf);
}

const MOST_LEVELS = 16;

/** The value of a name in a name tree (7.9.6). */
function lookUp(file: PdfFile, node: Value | undefined, wanted: Buffer, depth: number): Value | undefined {
  const dict = file.dict(node);
  if (dict === undefined || depth > MOST_LEVELS) return undefined;
  const names = file.resolve(dict.get('Names'));
  if (Array.isArray(names)) {
    for (let i = 0; i + 1 < names.length; i += 2) {
      const key = file.resolve(names[i]);
      if (key instanceof PdfString && wanted.equals(key.bytes)) return file.resolve(names[i + 1]);
    }
  }
  const kids = file.resolve(dict.get('Kids'));
  for (const kid of Array.isArray(kids) ? kids : []) {
    const limits = file.resolve(file.dict(kid)?.get('Limits'));
    const [low, high] = (Array.isArray(limits) ? limits : []).map((item) => file.resolve(item));
    if (low instanceof PdfString && high instanceof PdfString)
      if (wanted.compare(low.bytes) < 0 || wanted.compare(high.bytes) > 0) continue;
    const found = lookUp(file, kid, wanted, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a link lies on one of the boxes. */
export function touches({ rect }: Link, boxes: readonly Rect[]): boolean {
  return boxes.some((box) => meets(box, rect));
}
