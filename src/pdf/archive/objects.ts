// Rules for dictionaries anywhere: actions, pictures, forms, graphics states, files (ISO 19005-2, 6.1 to 6.5).
import { decodable } from '../file/read/filters.ts';
import { type Dict, Name, Ref, type Value } from '../syntax/values.ts';
import { fixColourKeys } from './colours.ts';
import { broken, type Conversion, refuse, reportChange } from './job.ts';
import { jpxFault } from './jpx.ts';

/** 6.5.1, and actions of PDF 2.0, which PDF/A-2 does not know. */
const FORBIDDEN_ACTIONS: ReadonlySet<string> = new Set([
  ...['Launch', 'Sound', 'Movie', 'ResetForm', 'ImportData', 'Hide', 'SetOCGState', 'Rendition', 'Trans', 'GoTo3DView'],
  ...['JavaScript', 'GoToDp', 'RichMediaExecute', 'set-state', 'no-op'],
]);
const ALLOWED_ACTIONS = ['GoTo', 'GoToR', 'GoToE', 'Thread', 'URI', 'Named', 'SubmitForm'];
const NAMED_ACTIONS = ['NextPage', 'PrevPage', 'FirstPage', 'LastPage'];
const INTENTS = ['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation'];
const BLEND_MODES =
  /^(?:Normal|Compatible|Multiply|Screen|Overlay|Darken|Lighten|Color(?:Dodge|Burn)?|HardLight|SoftLight|Difference|Exclusion|Hue|Saturation|Luminosity)$/;
/** 6.1.7.2; other filters are decoded, where possible. */
const FILTERS =
  /^(?:ASCIIHexDecode|ASCII85Decode|FlateDecode|RunLengthDecode|CCITTFaxDecode|JBIG2Decode|DCTDecode|JPXDecode)$/;
const MOST_DECODED = 256 << 20;

export function removeEntries(dict: Dict, ...keys: readonly string[]): boolean {
  return keys.map((key) => dict.delete(key)).some((was) => was);
}

/** Rules for any dictionary. */
export function fixDict(job: Conversion, dict: Dict): boolean {
  let changed = fixColourKeys(job, dict);
  for (const [key, value] of [...dict]) {
    const isAction = ['A', 'OpenAction', 'Next'].includes(key);
    if (isForbiddenAction(job, value, isAction)) {
      dict.delete(key);
      changed = true;
    } else if (Array.isArray(value) && value.some((item) => isForbiddenAction(job, item, isAction, false))) {
      const allowed = value.filter((item) => !isForbiddenAction(job, item, isAction));
      dict.set(key, allowed);
      changed = true;
    }
  }
  const { changes } = job;
  // Metadata of parts would have to obey the same rules, and says nothing about the document.
  if (dict.name('Type') !== 'Catalog' && changes.dict(dict.get('Metadata'))?.has('Length') === true) {
    dict.delete('Metadata');
    reportChange(job, 'metadata of a part of the document');
    changed = true;
  }
  const subtype = changes.name(dict, 'Subtype');
  if (subtype === 'Image' && dict.has('Width')) changed = fixImage(job, dict) || changed;
  const isForeign = subtype === 'Form' && removeEntries(dict, 'Subtype2', 'PS', 'OPI', 'Ref');
  changed = broken(job, '6.2.9', 'a form with PostScript or of another file', isForeign) || changed;
  if (subtype === 'PS' && dict.has('Length')) refuse(job, '6.2.9', 'it has PostScript code');
  if (dict.has('EF')) changed = fixFile(job, dict) || changed;
  if (changes.name(dict, 'Type') === 'ExtGState') changed = fixStates(job, dict) || changed;
  return changed;
}

/** `isAction`: whether the value stands where only an action can, so that one of an unknown kind is told from other dictionaries. */
function isForbiddenAction(job: Conversion, value: Value, isAction: boolean, isTold = true): boolean {
  const action = job.changes.dict(value);
  const kind = action === undefined ? undefined : job.changes.name(action, 'S');
  if (action === undefined || kind === undefined || action.name('Type') === 'StructElem') return false;
  const isNamed = kind === 'Named' && !NAMED_ACTIONS.includes(job.changes.name(action, 'N') ?? '');
  const isBad = isAction ? !ALLOWED_ACTIONS.includes(kind) : FORBIDDEN_ACTIONS.has(kind);
  if (!isBad && !isNamed) return false;
  if (isTold) reportChange(job, `an action (${kind})`);
  broken(job, '6.5.1', `an action (${kind})`);
  return true;
}

function fixImage(job: Conversion, dict: Dict): boolean {
  const { changes } = job;
  let changed = broken(job, '6.2.8', 'a picture with alternatives', removeEntries(dict, 'Alternates', 'OPI'));
  if (dict.has('Interpolate') && changes.resolve(dict.get('Interpolate')) !== false)
    changed = broken(job, '6.2.8', 'a picture that is to be smoothed', removeEntries(dict, 'Interpolate'));
  if (dict.has('Intent') && !INTENTS.includes(changes.name(dict, 'Intent') ?? ''))
    changed = broken(job, '6.2.6', 'an unknown rendering intent', removeEntries(dict, 'Intent'));
  return changed;
}

/** Graphics states (6.2.5, 6.2.6, 6.2.10). */
export function fixStates(job: Conversion, dict: Dict): boolean {
  const { changes } = job;
  const isCurve = dict.has('TR2') && changes.name(dict, 'TR2') !== 'Default';
  let changed = removeEntries(dict, 'TR', 'HTP', ...(isCurve ? ['TR2'] : []));
  broken(job, '6.2.5', 'a transfer function or halftone origin', changed);
  if (dict.has('HT') && changes.name(dict, 'HT') !== 'Default') changed = removeEntries(dict, 'HT');
  // Overprint mode 1 is for DeviceCMYK, which now has a profile (6.2.4.2).
  if (job.intent !== 'CMYK' && changes.number(dict, 'OPM') === 1) {
    dict.set('OPM', 0);
    reportChange(job, 'overprint mode 1');
    changed = true;
  }
  if (dict.has('RI') && !INTENTS.includes(changes.name(dict, 'RI') ?? ''))
    changed = broken(job, '6.2.6', 'an unknown rendering intent', removeEntries(dict, 'RI'));
  const modes = Array.isArray(dict.get('BM')) ? changes.list(dict.get('BM')) : [dict.get('BM')];
  const known = modes
    .map((mode) => changes.resolve(mode))
    .every((mode) => mode instanceof Name && BLEND_MODES.test(mode.value));
  if (dict.has('BM') && !known) {
    dict.set('BM', new Name('Normal'));
    changed = broken(job, '6.2.10', 'an unknown blend mode');
  }
  return changed;
}

/** Embedded files: none in part 2; part 3 requires a relationship (6.8). */
function fixFile(job: Conversion, dict: Dict): boolean {
  const { changes, target } = job;
  if (target.part === 2) {
    reportChange(job, 'an attached file');
    return removeEntries(dict, 'EF');
  }
  let changed = false;
  const name = dict.get('UF') ?? dict.get('F') ?? null;
  for (const key of ['F', 'UF']) {
    if (dict.has(key)) continue;
    dict.set(key, name);
    changed = broken(job, '6.8', 'an attached file without both of its names');
  }
  if (!dict.has('AFRelationship')) {
    dict.set('AFRelationship', new Name('Unspecified'));
    changed = broken(job, '6.8', 'an attached file that does not say how it belongs to the document');
  }
  for (const value of changes.dict(dict.get('EF'))?.values() ?? []) {
    const held = changes.dict(value);
    if (
      !(value instanceof Ref) ||
      held === undefined ||
      /^[-\w+.]+\/[-\w+.]+$/.test(changes.name(held, 'Subtype') ?? '')
    )
      continue;
    broken(job, '6.8', 'an attached file that does not say what kind it is');
    held.set('Subtype', new Name('application/octet-stream'));
    changes.set(value.num, held);
  }
  return changed;
}

/** Filters of a stream (6.1.7): data in others is decoded, or the document refused. */
export function fixStream(job: Conversion, num: number, dict: Dict): void {
  const { changes } = job;
  const { file } = changes;
  if (dict.has('F') && dict.has('Length') && !dict.has('Subtype')) {
    refuse(job, '6.1.7.1', 'a stream is kept in another file');
    return;
  }
  const filters = file.filters(dict);
  if (filters.some(({ name }) => name === 'JPXDecode')) {
    const fault = jpxFault(file.rawStream(num, MOST_DECODED).raw, dict.has('ColorSpace'));
    if (fault !== undefined) refuse(job, '6.2.8.3', fault);
  }
  // Full names: the short ones are for inline images only.
  const names = [dict.get('Filter') ?? [], changes.list(dict.get('Filter'))]
    .flat()
    .map((item) => changes.resolve(item));
  if (names.every((name) => !(name instanceof Name) || FILTERS.test(name.value))) return;
  const what = `a stream is coded by ${filters.map(({ name }) => name).join(', ')}`;
  broken(job, '6.1.7.2', what);
  if (decodable(filters)) changes.set(num, dict, file.streamBytes(num, MOST_DECODED)?.bytes ?? new Uint8Array());
  else job.refused.add(what);
}
