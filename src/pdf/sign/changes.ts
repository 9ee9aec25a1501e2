/**
 * What an update changed in a document, judged object by object as ISO 32000-2, 12.8.2 wants it.
 *
 * In: the signed revision and a later one, both opened by their cross-reference tables. Out: a list of changes, each with its
 * kind and its place. The two documents are walked side by side from their trailers. Objects with the same bytes at the same
 * place are equal, and only what they refer to is looked at; all others are compared entry by entry. Where in the document an
 * entry stands decides what a difference there is: a field's value is form filling, a page's contents are pages. Whatever no
 * rule knows is `other`. An object is walked once for each role it is reached in, so the cost is linear in the document.
 */

import { fullName, inherited, nameOf, typeOf } from '../file/read/form-fields.ts';
import { readPages } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { COMPRESSED } from '../file/read/xref-table.ts';
import { Damage } from '../syntax/damage.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../syntax/values.ts';

/** From what any signature allows to what none does. */
export const KINDS = ['validation', 'form', 'annotations', 'pages', 'other'] as const;
export type ChangeKind = (typeof KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** What and where, for a person: `the contents of page 2`. */
  readonly what: string;
  /** The full name of the field, where it is one that changed. */
  readonly field?: string;
}

/** What a value is in the document, which says what a difference there means. */
type Role =
  | { readonly is: 'strict'; readonly kind: ChangeKind; readonly what: string; readonly field?: string }
  | { readonly is: 'trailer' | 'catalog' | 'form' }
  | { readonly is: 'pages' }
  | { readonly is: 'annotations'; readonly page: number }
  | { readonly is: 'fields'; readonly parent: string }
  | { readonly is: 'field'; readonly name: string; readonly type: string | undefined; readonly signed: boolean };

/** Entries of a trailer that tell of the cross-reference table itself. */
const TABLE = new Set(['Size', 'Prev', 'ID', 'XRefStm', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms']);

const MOST_CHANGES = 1000;
/** Objects walked; more than any signed document has. */
const MOST_VISITS = 20_000_000;

/** The changes from `before` to `after`; empty where nothing that a reader can reach differs. */
export function changesBetween(before: PdfFile, after: PdfFile): readonly Change[] {
  const comparison = new Comparison(before, after);
  comparison.run();
  return comparison.changes;
}

class Comparison {
  readonly changes: Change[] = [];
  private readonly before: PdfFile;
  private readonly after: PdfFile;
  private readonly todo: { a: Value | undefined; b: Value | undefined; role: Role }[] = [];
  private readonly seen = new Set<string>();
  private readonly said = new Set<string>();
  /** Pages and their annotations, which have roles of their own: from elsewhere it is enough that the same one is meant. */
  private readonly apart = new Set<number>();
  private pageNumber = 0;

  constructor(before: PdfFile, after: PdfFile) {
    this.before = before;
    this.after = after;
    for (const { num } of readPages(before).pages) {
      this.apart.add(num);
      const page = before.dict(new Ref(num, 0));
      for (const item of listOf(before.resolve(page?.get('Annots')))) if (item instanceof Ref) this.apart.add(item.num);
    }
  }

  run(): void {
    this.push(this.before.xref.trailer, this.after.xref.trailer, { is: 'trailer' });
    for (let step = this.todo.pop(), visits = 0; step !== undefined; step = this.todo.pop(), visits++) {
      if (visits > MOST_VISITS) {
        this.note('other', 'the document has too many objects to compare');
        return;
      }
      this.compare(step.a, step.b, step.role);
      if (this.changes.length >= MOST_CHANGES) return;
    }
  }

  private push(a: Value | undefined, b: Value | undefined, role: Role): void {
    this.todo.push({ a, b, role });
  }

  private note(kind: ChangeKind, what: string, field?: string): void {
    const key = `${kind} ${what}`;
    if (this.said.has(key)) return;
    this.said.add(key);
    this.changes.push(field === undefined ? { kind, what } : { kind, what, field });
  }

  private compare(a: Value | undefined, b: Value | undefined, role: Role): void {
    if (a instanceof Ref && b instanceof Ref) {
      const key = `${a.num} ${b.num} ${JSON.stringify(role.is === 'strict' ? role.kind : { ...role, page: 0 })}`;
      if (this.seen.has(key)) return;
      this.seen.add(key);
      if (role.is === 'strict' && a.num === b.num && this.apart.has(a.num)) return;
      if (this.streamDiffers(a, b)) {
        this.differ(role);
        return;
      }
    }
    const left = this.before.resolve(a);
    const right = this.after.resolve(b);
    if (role.is === 'annotations') this.compareAnnotations(left, right, role.page);
    else if (role.is === 'fields') this.compareFields(left, right, role.parent);
    else if (left instanceof Dict && right instanceof Dict) this.compareDicts(left, right, role);
    else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
      for (const [i, item] of left.entries()) this.push(item, right[i], role);
    } else if (!samePlain(left, right)) this.differ(role);
  }

  /** Two objects of which one is a stream: whether their data differ. */
  private streamDiffers(a: Ref, b: Ref): boolean {
    if (a.num === b.num && this.samePlace(a.num)) return false;
    const [left, right] = [rawStream(this.before, a.num), rawStream(this.after, b.num)];
    if (left === undefined || right === undefined) return left !== right;
    return Buffer.compare(left, right) !== 0;
  }

  /** Whether an object stands where it stood, so that its bytes are the same. */
  private samePlace(num: number): boolean {
    const [a, b] = [this.before.xref, this.after.xref];
    if (num >= a.size || num >= b.size) return num >= a.size && num >= b.size;
    if (a.kind[num] !== b.kind[num] || a.place[num] !== b.place[num] || a.index[num] !== b.index[num]) return false;
    const container = a.place[num] ?? 0;
    return a.kind[num] !== COMPRESSED || a.place[container] === b.place[container];
  }

  private compareDicts(a: Dict, b: Dict, role: Role): void {
    const keys = new Set([...a.keys(), ...b.keys()]);
    const isPage = role.is === 'pages' && !b.has('Kids');
    const page = isPage ? ++this.pageNumber : 0;
    if (role.is === 'pages' && (a.has('Kids') !== b.has('Kids') || a.name('Type') !== b.name('Type'))) {
      this.differ(role);
      return;
    }
    // Pushed in reverse, so that they are looked at in order: pages are counted as they are met.
    for (const key of [...keys].reverse()) {
      const next = this.roleOf(key, role, a, b, page);
      if (next !== undefined) this.push(a.get(key), b.get(key), next);
    }
  }

  /** The role of an entry; undefined where a difference there changes nothing. */
  private roleOf(key: string, role: Role, a: Dict, b: Dict, page: number): Role | undefined {
    switch (role.is) {
      case 'trailer':
        if (key === 'Root') return { is: 'catalog' };
        if (key === 'Info') return { is: 'strict', kind: 'validation', what: 'the information about the document' };
        return TABLE.has(key) ? undefined : { is: 'strict', kind: 'other', what: `/${key} of the trailer` };
      case 'catalog':
        return catalogRole(key);
      case 'form':
        if (key === 'Fields') return { is: 'fields', parent: '' };
        if (key === 'SigFlags' || key === 'NeedAppearances') return undefined;
        if (key === 'DR') return { is: 'strict', kind: 'form', what: 'the resources of the form' };
        return { is: 'strict', kind: 'other', what: `/${key} of the form` };
      case 'pages':
        if (key === 'Parent') return undefined;
        if (page > 0 && key === 'Annots') return { is: 'annotations', page };
        if (page > 0) return { is: 'strict', kind: 'pages', what: `page ${page} (/${key})` };
        if (key === 'Kids') return { is: 'pages' };
        return { is: 'strict', kind: 'pages', what: `/${key} of the page tree` };
      case 'field':
        return fieldRole(key, role, a, b);
      default:
        // Upwards: what stands there is compared on its own. /P of an encryption or of permissions is a number.
        return (key === 'Parent' || key === 'P') && a.get(key) instanceof Ref && b.get(key) instanceof Ref
          ? undefined
          : role;
    }
  }

  /** Annotations of a page: fields are judged with the form, others may be added or changed where annotating is allowed. */
  private compareAnnotations(left: Value, right: Value, page: number): void {
    const before = listOf(left);
    const after = listOf(right);
    const known = new Set(before.filter((item) => item instanceof Ref).map(({ num }) => num));
    for (const item of before) {
      const same = item instanceof Ref ? after.find((one) => one instanceof Ref && one.num === item.num) : undefined;
      const isWidget = this.before.dict(item)?.name('Subtype') === 'Widget';
      if (same === undefined) this.note(isWidget ? 'other' : 'annotations', `an annotation removed from page ${page}`);
      else if (isWidget) this.push(item, same, this.fieldOf(this.before.dict(item)));
      else {
        const role: Role = { is: 'strict', kind: 'annotations', what: `an annotation of page ${page}` };
        this.push(this.before.resolve(item), this.after.resolve(same), role);
      }
    }
    for (const item of after) {
      if (item instanceof Ref && known.has(item.num)) continue;
      const dict = this.after.dict(item);
      const isSignature = dict?.name('Subtype') === 'Widget' && typeOf(this.after, dict) === 'Sig';
      if (isSignature) this.note('form', `a signature field on page ${page}`);
      else
        this.note(dict?.name('Subtype') === 'Widget' ? 'other' : 'annotations', `an annotation added to page ${page}`);
    }
  }

  private compareFields(left: Value, right: Value, parent: string): void {
    const before = listOf(left);
    const after = listOf(right);
    const known = new Set(before.filter((item) => item instanceof Ref).map(({ num }) => num));
    for (const item of before) {
      const same = item instanceof Ref ? after.find((one) => one instanceof Ref && one.num === item.num) : undefined;
      const dict = this.before.dict(item);
      if (same === undefined) this.note('other', `field ${nameOf(this.before, dict, parent)} removed`);
      else this.push(item, same, this.fieldOf(dict, parent));
    }
    for (const item of after) {
      if (item instanceof Ref && known.has(item.num)) continue;
      const dict = this.after.dict(item);
      const name = nameOf(this.after, dict, parent);
      const isSignature = typeOf(this.after, dict) === 'Sig';
      this.note(isSignature ? 'form' : 'other', `${isSignature ? 'signature ' : ''}field ${name} added`, name);
    }
  }

  private fieldOf(dict: Dict | undefined, parent?: string): Role {
    const name = parent === undefined ? fullName(this.before, dict) : nameOf(this.before, dict, parent);
    const type = typeOf(this.before, dict);
    return { is: 'field', name, type, signed: type === 'Sig' && inherited(this.before, dict, 'V') instanceof Dict };
  }

  /** Notes that the value in this role is another one. */
  private differ(role: Role): void {
    if (role.is === 'strict') this.note(role.kind, role.what, role.field);
    else if (role.is === 'field') this.note('other', `field ${role.name}`, role.name);
    else if (role.is === 'pages') this.note('pages', 'pages added or removed');
    else this.note('other', `the ${role.is === 'form' ? 'form' : 'catalog'}`);
  }
}

function catalogRole(key: string): Role | undefined {
  switch (key) {
    case 'Pages':
      return { is: 'pages' };
    case 'AcroForm':
      return { is: 'form' };
    case 'DSS':
      return { is: 'strict', kind: 'validation', what: 'data for validation (/DSS)' };
    case 'Metadata':
      return { is: 'strict', kind: 'validation', what: 'metadata (XMP)' };
    case 'Extensions':
    case 'Version':
      return undefined;
    default:
      return { is: 'strict', kind: 'other', what: `/${key} of the catalog` };
  }
}

function fieldRole(key: string, role: Extract<Role, { is: 'field' }>, a: Dict, b: Dict): Role | undefined {
  const { name } = role;
  const value = (what: string): Role => ({ is: 'strict', kind: role.signed ? 'other' : 'form', what, field: name });
  switch (key) {
    case 'Parent':
    case 'P':
      return undefined;
    case 'V':
      if (role.type === 'Sig' && !a.has('V') && b.has('V')) return value(`field ${name} signed`);
      return value(role.signed ? `the signature in field ${name}` : `the value of field ${name}`);
    case 'AP':
    case 'AS':
    case 'MK':
      return value(`the appearance of field ${name}`);
    case 'F':
      // Programs set the flags of an empty signature field when it is signed.
      return role.type === 'Sig' && !role.signed ? value(`the flags of field ${name}`) : strictField(key, name);
    case 'I':
    case 'M':
      return value(`the value of field ${name}`);
    case 'Kids':
      return { is: 'fields', parent: name };
    default:
      return strictField(key, name);
  }
}

function strictField(key: string, name: string): Role {
  return { is: 'strict', kind: 'other', what: `/${key} of field ${name}`, field: name };
}

function listOf(value: Value): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

/** Whether two values that are neither both dictionaries nor both lists are the same. */
function samePlain(a: Value, b: Value): boolean {
  if (a instanceof Name && b instanceof Name) return a.value === b.value;
  if (a instanceof PdfString && b instanceof PdfString) return Buffer.compare(a.bytes, b.bytes) === 0;
  return a === b;
}

/** Streams that are compared are small: what was added to a signed document. Larger ones differ where their objects moved. */
const MOST_STREAM = 64 << 20;

/** The data of a stream as they stand in the file; undefined where the object is none. */
function rawStream(file: PdfFile, num: number): Uint8Array | undefined {
  if (file.scanObject(num)?.isStream !== true) return undefined;
  try {
    return file.rawStream(num, MOST_STREAM).raw;
  } catch (error) {
    if (error instanceof Damage) return Uint8Array.of();
    throw error;
  }
}
