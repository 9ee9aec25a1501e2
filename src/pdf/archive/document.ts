// Fixes the catalog, pages, fields and layers (ISO 19005-2, 6.1.13, 6.4, 6.5.2, 6.9 to 6.11).
import { rectOf } from '../page/boxes.ts';
import { readNames } from '../structure/name-trees.ts';
import { textOf } from '../syntax/text-strings.ts';
import { Dict, PdfString, Ref, type Value } from '../syntax/values.ts';
import type { ObjectChanges } from './changes.ts';
import { fixIntents } from './colours.ts';
import { broken, type Conversion, refuse, reportChange } from './job.ts';
import { removeEntries } from './objects.ts';

const BOXES = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'];
/** In points (6.1.13). */
const [LEAST_SIDE, MOST_SIDE] = [3, 14_400];

export function fixCatalog(job: Conversion, catalog: Dict): boolean {
  const { changes, target } = job;
  if (changes.resolve(catalog.get('NeedsRendering')) === true)
    refuse(job, '6.4.2', 'its pages are made by an XFA form');
  if (catalog.has('AA')) reportChange(job, 'actions of the document');
  let changed = fixIntents(job, catalog);
  changed = broken(job, '6.5.2', 'actions of the document', removeEntries(catalog, 'AA')) || changed;
  changed = broken(job, '6.11', 'requirements of the document', removeEntries(catalog, 'Requirements')) || changed;
  changed = removeEntries(catalog, 'NeedsRendering', 'Perms', 'Version') || changed;
  const names = changes.dict(catalog.get('Names'));
  const gone = ['JavaScript', 'AlternatePresentations', ...(target.part === 2 ? ['EmbeddedFiles'] : [])];
  if (names !== undefined && gone.some((key) => names.has(key))) {
    const files = target.part === 2 ? readNames(changes.file, names.get('EmbeddedFiles'), 'attachments') : new Map();
    for (const spec of files.values()) reportChange(job, `the attached file ${fileName(changes, spec)}`);
    broken(job, '6.10', 'alternative presentations', names.has('AlternatePresentations'));
    broken(job, '6.5.1', 'scripts of the document', names.has('JavaScript'));
    if (names.has('JavaScript')) reportChange(job, 'scripts of the document');
    catalog.set('Names', new Dict([...names].filter(([key]) => !gone.includes(key))));
    changed = true;
  }
  if (target.part === 2) changed = removeEntries(catalog, 'Collection', 'AF') || changed;
  else changed = associate(changes, catalog) || changed;
  return changed;
}

/** In part 3 every file must be associated: those of no object with the document (6.8). */
function associate(changes: ObjectChanges, catalog: Dict): boolean {
  const names = changes.dict(catalog.get('Names'));
  const specs = [...readNames(changes.file, names?.get('EmbeddedFiles'), 'attachments').values()];
  const known = changes.list(catalog.get('AF'));
  const missing = specs.filter(
    (spec) => spec instanceof Ref && !known.some((other) => other instanceof Ref && other.num === spec.num),
  );
  if (missing.length > 0) catalog.set('AF', [...known, ...missing]);
  return missing.length > 0;
}

function fileName(changes: ObjectChanges, spec: Value): string {
  const dict = changes.dict(spec);
  return textOf(changes.resolve(dict?.get('UF') ?? dict?.get('F'))) ?? 'without a name';
}

export function fixPage(job: Conversion, page: Dict): boolean {
  if (page.has('AA')) reportChange(job, 'actions of a page');
  if (page.has('OutputIntents')) job.hasDefaults = true;
  for (const key of BOXES) {
    const box = page.has(key) ? rectOf(job.changes.file, page.get(key)) : undefined;
    if (box === undefined) continue;
    const sides = [box.x1 - box.x0, box.y1 - box.y0];
    if (sides.some((side) => !(Math.abs(side) >= LEAST_SIDE && Math.abs(side) <= MOST_SIDE)))
      refuse(job, '6.1.13', `a page is ${sides.map((side) => Math.round(side)).join(' × ')} points large`);
  }
  const acts = broken(job, '6.5.2', 'actions of a page', removeEntries(page, 'AA'));
  return broken(job, '6.10', 'steps of a presentation', removeEntries(page, 'PresSteps')) || acts;
}

export function fixForm(job: Conversion, form: Dict): boolean {
  if (form.has('XFA')) reportChange(job, 'the XFA part of a form');
  const isXfa = broken(job, '6.4.2', 'an XFA form', removeEntries(form, 'XFA'));
  const asks = job.changes.resolve(form.get('NeedAppearances')) === true;
  broken(job, '6.4.1', 'a form that readers are to draw', asks);
  return removeEntries(form, 'NeedAppearances', 'SigFlags') || isXfa;
}

export function fixField(job: Conversion, field: Dict): boolean {
  const { changes } = job;
  if (field.has('AA')) reportChange(job, 'actions of a field');
  let changed = broken(job, '6.4.1', 'actions of a field', removeEntries(field, 'AA'));
  // The output is not what was signed: the signature would be invalid.
  if (changes.name(field, 'FT') === 'Sig' && field.has('V')) {
    reportChange(job, 'a signature');
    changed = removeEntries(field, 'V');
  }
  return changed;
}

export function fixLayers(job: Conversion, layers: Dict): boolean {
  const { changes } = job;
  const groups = changes.list(layers.get('OCGs'));
  const taken = new Set<string>();
  let changed = false;
  const fix = (config: Dict, usual: string): boolean => {
    let fixed = broken(job, '6.9', 'layers that switch by themselves', removeEntries(config, 'AS'));
    const given = changes.resolve(config.get('Name'));
    const text = given instanceof PdfString ? Buffer.from(given.bytes).toString('latin1') : '';
    if (text === '' || taken.has(text)) {
      config.set('Name', new PdfString(Buffer.from(usual)));
      fixed = broken(job, '6.9', 'layers without a name of their own');
    }
    taken.add(text === '' ? usual : text);
    if (!config.has('Order')) return fixed;
    const ordered = new Set<number>();
    const meet = (items: readonly unknown[], depth = 0): void => {
      for (const item of items) {
        if (item instanceof Ref) ordered.add(item.num);
        const inner = changes.list(item as Ref);
        if (depth < 30) meet(inner, depth + 1);
      }
    };
    meet(changes.list(config.get('Order')));
    const missing = groups.filter((group) => group instanceof Ref && !ordered.has(group.num));
    if (missing.length === 0) return fixed;
    config.set('Order', [...changes.list(config.get('Order')), ...missing]);
    return broken(job, '6.9', 'layers that stand in no order');
  };
  const configs = [layers.get('D'), ...changes.list(layers.get('Configs'))];
  for (const [i, value] of configs.entries()) {
    const config = changes.dict(value);
    if (config === undefined || !fix(config, i === 0 ? 'Layers' : `Layers ${i + 1}`)) continue;
    if (value instanceof Ref) changes.set(value.num, config);
    changed = true;
  }
  return changed;
}
