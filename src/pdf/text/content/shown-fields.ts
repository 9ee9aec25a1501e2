// The form fields of a page as a reader sees them (ISO 32000-1, 12.7). An appearance is drawn as the page is; a box that can be
// ticked reads `[x]` or `[ ]`; a field whose appearance the viewer must make shows its value.
import { nameAt } from '../../file/read/entries.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { type Appearance, appearanceOf, isHidden } from '../../page/annotations.ts';
import { rectOf } from '../../page/boxes.ts';
import type { Rect } from '../../page/geometry.ts';
import { textOf } from '../../syntax/text-strings.ts';
import { type Dict, Name, type Value } from '../../syntax/values.ts';

export interface ShownField {
  readonly rect: Rect;
  /** Undefined where the viewer makes it, and for boxes that can be ticked. */
  readonly appearance: Appearance | undefined;
  readonly lines: readonly string[];
}

/** Fields stand in their parents some levels deep; a longer chain is a circle. */
const MOST_PARENTS = 32;
const PASSWORD = 1 << 13;
const PUSH_BUTTON = 1 << 16;

/** `page`: its dictionary. Hidden fields and those without an area are left out. */
export function shownFields(file: PdfFile, page: Dict): ShownField[] {
  const list = file.resolve(page.get('Annots'));
  if (!Array.isArray(list)) return [];
  const catalog = file.dict(file.xref.trailer.get('Root'));
  const made = file.resolve(file.dict(catalog?.get('AcroForm'))?.get('NeedAppearances')) === true;
  return list.flatMap((item): ShownField[] => {
    const widget = file.dict(item);
    if (widget === undefined || nameAt(file, widget, 'Subtype') !== 'Widget' || isHidden(file, widget)) return [];
    const rect = rectOf(file, widget.get('Rect'));
    if (rect === undefined || rect.x1 <= rect.x0 || rect.y1 <= rect.y0) return [];
    const type = inherited(file, widget, 'FT');
    const kind = type instanceof Name ? type.value : '';
    const flag = inherited(file, widget, 'Ff');
    const flags = typeof flag === 'number' ? flag : 0;
    if (kind === 'Btn' && (flags & PUSH_BUTTON) === 0) {
      const state = nameAt(file, widget, 'AS') ?? stateOf(inherited(file, widget, 'V'));
      return [{ rect, appearance: undefined, lines: [state === 'Off' ? '[ ]' : '[x]'] }];
    }
    const isText = (kind === 'Tx' || kind === 'Ch') && (flags & PASSWORD) === 0;
    const lines = isText ? shownValue(file, widget) : [];
    const appearance = made && lines.length > 0 ? undefined : appearanceOf(file, widget);
    return appearance === undefined && lines.length === 0 ? [] : [{ rect, appearance, lines }];
  });
}

function stateOf(value: Value | undefined): string {
  return value instanceof Name ? value.value : 'Off';
}

/** An entry of a field, or of the nearest parent that has it. */
function inherited(file: PdfFile, widget: Dict, key: string): Value | undefined {
  let dict: Dict | undefined = widget;
  for (let i = 0; i < MOST_PARENTS && dict !== undefined; i++) {
    const value = dict.get(key);
    if (value !== undefined) return file.resolve(value);
    dict = file.dict(dict.get('Parent'));
  }
  return undefined;
}

/** The lines of a text field, or what is chosen: an option may be shown by another name than it is stored by. */
function shownValue(file: PdfFile, widget: Dict): string[] {
  const value = inherited(file, widget, 'V');
  const texts = (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(file.resolve(item) ?? null) ?? []);
  const options = inherited(file, widget, 'Opt');
  const shown = new Map(
    (Array.isArray(options) ? options : []).flatMap((item): [string, string][] => {
      const pair = file.resolve(item);
      if (!Array.isArray(pair)) return [];
      const [stored, name] = pair.map((part) => textOf(file.resolve(part) ?? null));
      return typeof stored === 'string' && typeof name === 'string' ? [[stored, name]] : [];
    }),
  );
  const lines = texts.flatMap((text) => (shown.get(text) ?? text).split(/\r\n?|\n/));
  return lines.some((line) => line.trim() !== '') ? lines : [];
}
