// Walks all objects of a document, once for each role that an object has, and applies the rules of ISO 19005-2 for that
// role. A rule changes a dictionary in place and returns whether it did; a second run changes nothing.

import { Dict, Name, PdfString, Ref, type Value } from '../syntax/values.ts';
import { fixAnnotation, fixAnnotations } from './annotations.ts';
import { fixColourSpace, fixResources } from './colours.ts';
import { LONG_STRING, MOST_NAME, MOST_STRING, ODD_STRING } from './content.ts';
import { fixCatalog, fixField, fixForm, fixLayers, fixPage } from './document.ts';
import { broken, type Conversion, refuse } from './job.ts';
import { fixDict, fixStates, fixStream } from './objects.ts';
import { isTidy } from './raw-syntax.ts';

export type ObjectRole =
  | 'catalog'
  | 'form'
  | 'field'
  | 'layers'
  | 'page'
  | 'annotation'
  | 'resources'
  | 'states'
  | 'state';
type Rule = (job: Conversion, dict: Dict) => boolean;

const RULES: Readonly<Record<ObjectRole, readonly Rule[]>> = {
  catalog: [fixCatalog],
  form: [fixForm],
  field: [fixField],
  layers: [fixLayers],
  page: [fixPage, fixAnnotations],
  annotation: [fixAnnotation],
  resources: [fixResources],
  states: [],
  state: [fixStates],
};

/** The role of a key's value in a dictionary of a given role. */
function roleBelow(role: ObjectRole | undefined, key: string): ObjectRole | undefined {
  if (key === 'Resources' || key === 'DR') return 'resources';
  if (role === 'resources' && key === 'ExtGState') return 'states';
  if (role === 'states') return 'state';
  if (role === 'page' && key === 'Annots') return 'annotation';
  if (role === 'catalog' && key === 'AcroForm') return 'form';
  if (role === 'catalog' && key === 'OCProperties') return 'layers';
  if ((role === 'form' && key === 'Fields') || (role === 'field' && key === 'Kids')) return 'field';
  return undefined;
}

type Root = readonly [num: number, role: ObjectRole | undefined, page?: number | undefined];

export function walk(job: Conversion, roots: readonly Root[]): void {
  const { changes } = job;
  const seen = new Set<string>();
  const todo = [...roots].reverse();
  const visit = (value: Value, role: ObjectRole | undefined): boolean => {
    if (value instanceof Ref) {
      todo.push([value.num, role, job.page]);
      return false;
    }
    if (value instanceof PdfString && value.bytes.length > MOST_STRING) refuse(job, '6.1.13', LONG_STRING);
    if (value instanceof Name && value.value.length > MOST_NAME) refuse(job, '6.1.13', 'a name longer than 127 bytes');
    let changed = false;
    if (Array.isArray(value)) {
      changed = fixColourSpace(job, value);
      for (const item of value) changed = visit(item, role) || changed;
    } else if (value instanceof Dict) {
      for (const rule of [fixDict, ...(role === undefined ? [] : RULES[role])]) changed = rule(job, value) || changed;
      for (const [key, item] of [...value]) changed = visit(item, roleBelow(role, key)) || changed;
    }
    return changed;
  };
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [num, role, page] = next;
    const slot = `${num} ${role ?? ''}`;
    // Without a role, any earlier visit counts.
    if (seen.has(slot) || (role === undefined && seen.has(`${num}`))) continue;
    seen.add(slot).add(`${num}`);
    if (!changes.has(num)) continue;
    job.at = num;
    job.page = page;
    const value = changes.object(num);
    if (value instanceof Dict && changes.file.isStream(num)) fixStream(job, num, value);
    const isChanged = visit(value, role);
    if (broken(job, '6.1.6', ODD_STRING, !isTidy(job, num)) || isChanged) changes.set(num, value);
  }
}
