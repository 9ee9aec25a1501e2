// Fixes annotations (ISO 19005-2, 6.3): kinds, flags and appearances.
import { fieldType } from '../file/read/form-fields.ts';
import { Dict, Name, type Ref, type Value } from '../syntax/values.ts';
import { appearanceForm, drawnAppearance, numbersIn } from './appearances.ts';
import { broken, type Conversion, reportChange } from './job.ts';
import { removeEntries } from './objects.ts';

const KINDS =
  /^(?:Text|Link|FreeText|Line|Square|Circle|Polygon|PolyLine|Highlight|Underline|Squiggly|StrikeOut|Stamp|Caret|Ink|Popup|FileAttachment|Widget|PrinterMark|TrapNet|Watermark|Redact)$/;
const [INVISIBLE, HIDDEN, PRINT, NO_VIEW, TOGGLE] = [1, 2, 4, 32, 256];

/** Removes kinds of annotations that PDF/A does not have. */
export function fixAnnotations(job: Conversion, page: Dict): boolean {
  const { changes, target } = job;
  const all = changes.list(page.get('Annots'));
  const kept = all.filter((item) => {
    const kind = changes.name(changes.dict(item), 'Subtype') ?? 'without a kind';
    const isFile = kind === 'FileAttachment' && target.part === 2;
    if (KINDS.test(kind) && !isFile) return true;
    reportChange(job, isFile ? 'an attached file' : `an annotation (${kind})`);
    return false;
  });
  if (kept.length === all.length) return false;
  page.set('Annots', kept);
  return broken(job, '6.3.1', 'an annotation of a kind that PDF/A has not');
}

export function fixAnnotation(job: Conversion, note: Dict): boolean {
  const { changes } = job;
  const kind = changes.name(note, 'Subtype');
  const flags = changes.number(note, 'F') ?? 0;
  const isHidden = (flags & (HIDDEN | NO_VIEW)) !== 0 || ((flags & INVISIBLE) !== 0 && kind === undefined);
  let changed = false;
  const right = (flags & ~(INVISIBLE | HIDDEN | NO_VIEW | TOGGLE)) | PRINT;
  if (kind !== 'Popup' || note.has('F')) {
    const isWrong = right !== flags || !note.has('F');
    changed = broken(job, '6.3.2', 'an annotation that is not printed as it is shown', isWrong);
    if (changed) note.set('F', right);
  }
  if (kind === 'Widget') {
    if (note.has('A') || note.has('AA')) reportChange(job, 'actions of a field');
    changed = broken(job, '6.4.1', 'actions of a field', removeEntries(note, 'A', 'AA')) || changed;
  }
  if (isHidden && kind !== 'Popup') {
    reportChange(job, 'a hidden annotation, of which nothing is drawn now,');
    note.set('AP', new Dict([['N', emptyForm(job, note)]]));
  }
  const isDrawn = note.has('AP');
  const isRedrawn = fixAppearance(job, note, kind);
  const what = `an annotation ${isDrawn ? 'with an appearance that PDF/A has not' : 'without an appearance'}`;
  return broken(job, '6.3.3', what, isRedrawn) || changed;
}

/** Leaves one appearance, the normal one: a form, or for buttons one for each state (6.3.3). */
function fixAppearance(job: Conversion, note: Dict, kind: string | undefined): boolean {
  const { changes } = job;
  const given = changes.dict(note.get('AP'));
  const normal = given?.get('N');
  const states = changes.dict(normal);
  const isForm = states?.has('Length') === true || states?.has('BBox') === true;
  const isButton = kind === 'Widget' && fieldType(changes.file, note) === 'Btn';
  const leave = (form: Value | undefined): true => {
    note.set('AP', new Dict([['N', form ?? null]]));
    return true;
  };
  const whenOff = (form: Value | undefined): Dict => new Dict([['Off', form ?? null]]);
  if (states === undefined) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbersIn(job, note.get('Rect'));
    const needs = kind !== 'Popup' && kind !== 'Link' && (x0 !== x1 || y0 !== y1);
    if (!needs) return removeEntries(note, 'AP');
    const form = drawnAppearance(job, note) ?? emptyForm(job, note);
    return leave(isButton ? whenOff(form) : form);
  }
  if (isButton && isForm) {
    note.set('AS', new Name('Off'));
    return leave(whenOff(normal));
  }
  if (!isButton && !isForm) {
    const state = changes.name(note, 'AS');
    const chosen = (state === undefined ? undefined : states.get(state)) ?? [...states.values()][0];
    return leave(changes.dict(chosen) === undefined ? emptyForm(job, note) : chosen);
  }
  const isEmpty = isButton && ![...states.values()].some((state) => changes.dict(state)?.has('Length'));
  if (isEmpty) return leave(whenOff(emptyForm(job, note)));
  return given === undefined || given.size === 1 ? false : leave(normal);
}

function emptyForm(job: Conversion, note: Dict): Ref {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbersIn(job, note.get('Rect'));
  return appearanceForm(job, [0, 0, Math.abs(x1 - x0), Math.abs(y1 - y0)], '');
}
