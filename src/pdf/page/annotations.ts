import { nameAt, numberAt } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { type Dict, Ref } from '../syntax/values.ts';
import { matrixOf, rectOf } from './boxes.ts';
import { boundsOf, IDENTITY, type Matrix, quadOf, type Rect } from './geometry.ts';

export interface Appearance {
  readonly form: Ref;
  readonly matrix: Matrix;
}

const HIDDEN = 0x02;
const NO_VIEW = 0x20;

/** Whether its flags hide an annotation (ISO 32000-1, 12.5.3). */
export function isHiddenAnnotation(file: PdfFile, dict: Dict): boolean {
  return ((numberAt(file, dict, 'F') ?? 0) & (HIDDEN | NO_VIEW)) !== 0;
}

/** The appearance of an annotation in its state, and its place on the page; undefined where nothing is drawn. */
export function appearanceOf(file: PdfFile, dict: Dict): Appearance | undefined {
  const rect = rectOf(file, dict.get('Rect'));
  const form = isHiddenAnnotation(file, dict) ? undefined : normalAppearance(file, dict);
  const matrix = form === undefined || rect === undefined ? undefined : placeOf(file, form, rect);
  return form === undefined || matrix === undefined ? undefined : { form, matrix };
}

function normalAppearance(file: PdfFile, dict: Dict): Ref | undefined {
  const normal = file.dict(dict.get('AP'))?.get('N');
  const entry = file.dict(normal);
  if (entry === undefined) return undefined;
  if (normal instanceof Ref && isForm(entry)) return normal;
  // A check box or radio button has one form for each state.
  const state = nameAt(file, dict, 'AS');
  const chosen = state === undefined ? undefined : entry.get(state);
  return chosen instanceof Ref && isForm(file.dict(chosen)) ? chosen : undefined;
}

/** Forms have a box; dictionaries of states have none. */
function isForm(dict: Dict | undefined): boolean {
  return dict?.has('BBox') === true;
}

/** The matrix from the form's box to the annotation's rectangle (12.5.5, algorithm 8.1). */
function placeOf(file: PdfFile, form: Ref, rect: Rect): Matrix | undefined {
  const dict = file.dict(form);
  const box = rectOf(file, dict?.get('BBox'));
  if (box === undefined) return undefined;
  const matrix = matrixOf(file, dict?.get('Matrix')) ?? IDENTITY;
  const around = boundsOf(quadOf(box, matrix));
  const [wide, high] = [around.x1 - around.x0, around.y1 - around.y0];
  if (!(wide > 0 && high > 0)) return undefined;
  const [sx, sy] = [(rect.x1 - rect.x0) / wide, (rect.y1 - rect.y0) / high];
  return [sx, 0, 0, sy, rect.x0 - around.x0 * sx, rect.y0 - around.y0 * sy];
}
