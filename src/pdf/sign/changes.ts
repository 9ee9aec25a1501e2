// Lists the changes of an update and judges them object by object, as ISO 32000-2, 12.8.2 requires.
//
// In: the signed revision and a later one, both opened by their cross-reference tables. Out: a list of changes, each with
// its kind and its place. The two documents are walked side by side from their trailers. Objects with the same bytes at the
// same place are equal, and only what they refer to is looked at; all others are compared entry by entry. Where in the
// document an entry stands decides what a difference there is: a field's value is form filling, a page's contents are
// pages. Whatever no rule knows is `other`. An object is walked once for each role it is reached in, so the cost is linear
// in the document.

import { listOf } from '../file/read/entries.ts';
import { fieldName, fieldType, fullName, inherited, signatureFields } from '../file/read/form-fields.ts';
import { readPages } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { COMPRESSED } from '../file/read/xref-table.ts';
import { unlessDamaged } from '../syntax/damage.ts';
import { decodeTextString } from '../syntax/text-strings.ts';
import { Dict, PdfString, Ref, samePlain, type Value } from '../syntax/values.ts';

/** From what every signature allows to what none does. */
export const KINDS = ['validation', 'form', 'annotations', 'pages', 'other'] as const;
export type ChangeKind = (typeof KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** What changed and where, for people: `the contents of page 2`. */
  readonly what: string;
  /** The full name of a changed field. */
  readonly field?: string;
}

/** The role of a value in the document, which decides what a difference in it means. */
type Role =
  | { readonly is: 'strict'; readonly kind: ChangeKind; readonly what: string; readonly field?: string }
  | { readonly is: 'trailer' | 'catalog' | 'form' | 'permissions' | 'structure' | 'element' | 'parents' }
  | { readonly is: 'pages' }
  | { readonly is: 'annotations'; readonly page: number }
  | { readonly is: 'fields'; readonly parent: string }
  | { readonly is: 'field'; readonly name: string; readonly type: string | undefined; readonly signed: boolean };

/** Entries of a trailer that describe the cross-reference table itself. */
const TABLE = new Set(['Size', 'Prev', 'ID', 'XRefStm', 'Type', 'W', 'Index', 'Length', 'Filter', 'DecodeParms']);

const MOST_CHANGES = 1000;
/** Objects visited; more than any signed document has. */
const MOST_VISITS = 20_000_000;

/** The changes from `before` to `after`; empty where nothing differs that a reader can reach. */
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
  private readonly reported = new Set<string>();
  /** The catalog, pages and their annotations: they have roles of their own; elsewhere only their identity is compared. */
  private readonly apart = new Set<number>();
  /** Objects used elsewhere than in the appearance of a field. */
  private readonly elsewhere = new Set<number>();
  /** Replaced appearances of fields, with the field. */
  private readonly replaced = new Map<number, string>();
  /** The signature field of each widget of the later document. */
  private readonly widgets = new Map<number, Dict>();
  private pageNumber = 0;

  constructor(before: PdfFile, after: PdfFile) {
    this.before = before;
    this.after = after;
    const root = before.xref.trailer.get('Root');
    if (root instanceof Ref) this.apart.add(root.num);
    for (const { num, dict } of signatureFields(after)) {
      if (num !== undefined) this.widgets.set(num, dict);
      for (const kid of listOf(after, dict.get('Kids'))) if (kid instanceof Ref) this.widgets.set(kid.num, dict);
    }
    for (const { num } of readPages(before).pages) {
      this.apart.add(num);
      const page = before.dict(new Ref(num, 0));
      for (const item of listOf(before, page?.get('Annots'))) if (item instanceof Ref) this.apart.add(item.num);
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
    // An apparent form filling may be a change elsewhere.
    for (const [num, field] of this.replaced) {
      if (this.elsewhere.has(num)) this.note('other', `the appearance of field ${field}, which is used elsewhere too`);
    }
  }

  private push(a: Value | undefined, b: Value | undefined, role: Role): void {
    this.todo.push({ a, b, role });
  }

  private note(kind: ChangeKind, what: string, field?: string): void {
    const key = `${kind} ${what}`;
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.changes.push(field === undefined ? { kind, what } : { kind, what, field });
  }

  private compare(a: Value | undefined, b: Value | undefined, role: Role): void {
    if (a instanceof Ref && b instanceof Ref) {
      const key = `${a.num} ${b.num} ${JSON.stringify(role.is === 'strict' ? role.kind : { ...role, page: 0 })}`;
      if (this.seen.has(key)) return;
      this.seen.add(key);
      if (role.is !== 'field' && !(role.is === 'strict' && role.field !== undefined)) this.elsewhere.add(a.num);
      if (role.is === 'strict' && a.num === b.num && this.apart.has(a.num)) return;
      if (this.streamDiffers(a, b)) {
        this.differ(role);
        return;
      }
    }
    const left = this.before.resolve(a);
    const right = this.after.resolve(b);
    if (role.is === 'annotations') this.compareAnnotations(left, right, role.page);
    else if (role.is === 'element') this.compareElements(left, right, a, b);
    else if (role.is === 'parents' && Array.isArray(left) && Array.isArray(right)) this.compareParents(left, right);
    else if (role.is === 'fields') this.compareFields(left, right, role.parent);
    else if (left instanceof Dict && right instanceof Dict) this.compareDicts(left, right, role);
    else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
      for (let i = left.length; i-- > 0; ) this.push(left[i], right[i], role);
    } else if (!samePlain(left, right)) this.differ(role);
  }

  /** Whether the data of two objects differ, at least one of which is a stream. */
  private streamDiffers(a: Ref, b: Ref): boolean {
    if (a.num === b.num && this.samePlace(a.num)) return false;
    const [left, right] = [rawStream(this.before, a.num), rawStream(this.after, b.num)];
    if (left === undefined || right === undefined) return left !== right;
    return Buffer.compare(left, right) !== 0;
  }

  /** Whether an object is at the same place, so that its bytes are the same. */
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
    if (role.is === 'field') this.judgeValue(a, b, role.name);
    // Pushed in reverse, so that they are visited in order: pages are counted on the way.
    for (const key of [...keys].reverse()) {
      const next = this.roleOf(key, role, a, b, page);
      if (next !== undefined) this.push(a.get(key), b.get(key), next);
    }
  }

  /** The role of an entry; undefined where a difference in it does not matter. */
  private roleOf(key: string, role: Role, a: Dict, b: Dict, page: number): Role | undefined {
    switch (role.is) {
      case 'trailer':
        if (key === 'Root') return { is: 'catalog' };
        if (key === 'Info') return { is: 'strict', kind: 'validation', what: 'the information about the document' };
        // Updates leave out entries they do not know, such as /DocChecksum.
        if (TABLE.has(key) || (key !== 'Encrypt' && !b.has(key))) return undefined;
        return { is: 'strict', kind: 'other', what: `/${key} of the trailer` };
      case 'catalog':
        if (CATALOG.has(key)) return CATALOG.get(key);
        return { is: 'strict', kind: 'other', what: `/${key} of the catalog` };
      case 'form':
        if (key === 'Fields') return { is: 'fields', parent: '' };
        if (key === 'SigFlags' || key === 'NeedAppearances') return undefined;
        if (key === 'DR') return { is: 'strict', kind: 'form', what: 'the resources of the form' };
        if ((key === 'DA' || key === 'Q') && !a.has(key))
          return { is: 'strict', kind: 'form', what: `/${key} of the form` };
        return { is: 'strict', kind: 'other', what: `/${key} of the form` };
      case 'permissions':
        // Usage rights end with any change; an added certification only restricts.
        if (key === 'UR' || key === 'UR3') return undefined;
        return { is: 'strict', kind: a.has(key) ? 'other' : 'form', what: `/${key} of the permissions` };
      case 'pages':
        if (key === 'Parent') return undefined;
        if (page > 0 && key === 'Annots') return { is: 'annotations', page };
        if (page > 0) return { is: 'strict', kind: 'pages', what: `page ${page} (/${key})` };
        if (key === 'Kids') return { is: 'pages' };
        if (key === 'ITXT') return undefined; // A version of iText.
        return { is: 'strict', kind: 'pages', what: `/${key} of the page tree` };
      case 'field':
        return fieldRole(key, role, a, b);
      case 'structure':
        if (key === 'K') return { is: 'element' };
        if (key === 'ParentTree') return { is: 'parents' };
        return key === 'ParentTreeNextKey' ? undefined : STRUCTURE;
      case 'element':
        if (key === 'K') return { is: 'element' };
        return key === 'P' ? undefined : STRUCTURE;
      case 'parents':
        return key === 'Limits' ? undefined : { is: 'parents' };
      default:
        // Upwards: the target is compared on its own. /P of an encryption or of permissions is a number.
        return (key === 'Parent' || key === 'P') && a.get(key) instanceof Ref && b.get(key) instanceof Ref
          ? undefined
          : role;
    }
  }

  /** Annotations of a page: fields are judged with the form, others may be added or changed where annotating is allowed. */
  private compareAnnotations(left: Value, right: Value, page: number): void {
    const { pairs, added } = this.matched(left, right);
    for (const [item, same] of pairs) {
      const isWidget = this.before.dict(item)?.name('Subtype') === 'Widget';
      if (same === undefined) this.note(isWidget ? 'other' : 'annotations', `an annotation removed from page ${page}`);
      else if (isWidget) this.push(item, same, this.fieldOf(this.before.dict(item)));
      else {
        const role: Role = { is: 'strict', kind: 'annotations', what: `an annotation of page ${page}` };
        this.push(this.before.resolve(item), this.after.resolve(same), role);
      }
    }
    for (const item of added) {
      const dict = this.after.dict(item);
      const isWidget = dict?.name('Subtype') === 'Widget';
      const signature = item instanceof Ref ? this.widgets.get(item.num) : undefined;
      if (dict !== undefined && isWidget && signature !== undefined) {
        this.note(this.kindOfSignature(signature, dict), `a signature field on page ${page}`);
      } else this.note(isWidget ? 'other' : 'annotations', `an annotation added to page ${page}`);
    }
  }

  /** The tags of signed pages stay; tags of form fields, such as those of a later signature, may be added. */
  private compareElements(left: Value, right: Value, a: Value | undefined, b: Value | undefined): void {
    if (!Array.isArray(left) && !Array.isArray(right) && a !== undefined && b !== undefined) {
      if (left instanceof Dict && right instanceof Dict) this.compareDicts(left, right, { is: 'element' });
      else if (!samePlain(left, right)) this.differ(STRUCTURE);
      return;
    }
    const before = Array.isArray(left) ? left : a === undefined ? [] : [a];
    const after = Array.isArray(right) ? right : b === undefined ? [] : [b];
    let at = 0;
    for (const item of after) {
      const known = before[at];
      if (known !== undefined && samePlainOrRef(known, item)) {
        this.push(known, item, { is: 'element' });
        at++;
      } else if (this.after.dict(item)?.name('S') === 'Form') this.note('form', 'the tag of a form field');
      else at = before.length + 1;
    }
    if (at !== before.length) this.differ(STRUCTURE);
  }

  /** Pairs of a number tree, or its kids: existing ones stay, others may be added. */
  private compareParents(left: readonly Value[], right: readonly Value[]): void {
    const isPairs = typeof left[0] === 'number';
    for (let i = 0; i < left.length; i += isPairs ? 2 : 1) {
      const at = isPairs ? right.indexOf(left[i] ?? null) : i;
      const [one, other] = isPairs ? [left[i + 1], right[at + 1]] : [left[i], right[at]];
      if (at < 0 || other === undefined) this.differ(STRUCTURE);
      else this.push(one, other, isPairs ? STRUCTURE : { is: 'parents' });
    }
  }

  /** Notes what a new value conceals: other uses of the appearance, and words that it showed instead of the value. */
  private judgeValue(a: Dict, b: Dict, name: string): void {
    const [was, is] = [a.get('AP'), b.get('AP')];
    if (was instanceof Ref && !(is instanceof Ref && is.num === was.num)) this.replaced.set(was.num, name);
    const value = this.before.resolve(a.get('V'));
    const normal = this.before.dict(was)?.get('N');
    const next = this.after.dict(is)?.get('N');
    const looksSame = normal instanceof Ref && next instanceof Ref && normal.num === next.num;
    if (fieldType(this.before, a) !== 'Tx' || (looksSame && samePlain(value, this.after.resolve(b.get('V'))))) return;
    const shown = normal instanceof Ref ? shownText(this.before, normal.num) : '';
    if (shown !== '' && !plainText(value).includes(shown)) {
      this.note('other', `field ${name}, which showed other words than its value when it was signed`, name);
    }
  }

  /** The items of a list with their later versions, matched by number, and the new items. */
  private matched(left: Value, right: Value) {
    const numbered = (items: readonly Value[]) =>
      new Map(items.flatMap((item) => (item instanceof Ref ? [[item.num, item] as const] : [])));
    const [before, after] = [listOf(this.before, left), listOf(this.after, right)];
    const [known, there] = [numbered(before), numbered(after)];
    return {
      pairs: before.map((item) => [item, item instanceof Ref ? there.get(item.num) : undefined] as const),
      added: after.filter((item) => !(item instanceof Ref && known.has(item.num))),
    };
  }

  private compareFields(left: Value, right: Value, parent: string): void {
    const { pairs, added } = this.matched(left, right);
    for (const [item, same] of pairs) {
      const dict = this.before.dict(item);
      if (same === undefined) this.note('other', `field ${fieldName(this.before, dict, parent)} removed`);
      else this.push(item, same, this.fieldOf(dict, parent));
    }
    for (const item of added) {
      const dict = this.after.dict(item);
      const name = fieldName(this.after, dict, parent);
      if (dict !== undefined && fieldType(this.after, dict) === 'Sig') {
        this.note(this.kindOfSignature(dict, dict), `signature field ${name} added`, name);
      } else this.note('other', `field ${name} added`, name);
    }
  }

  /** The kind of change that adding a signature field with this widget is. An unsigned one may show anything. */
  private kindOfSignature(field: Dict, widget: Dict): ChangeKind {
    const value = this.after.dict(field.get('V'));
    const rect = listOf(this.after, widget.get('Rect')).map((side) => Number(this.after.resolve(side)));
    const visible = widget.has('AP') && rect[0] !== rect[2] && rect[1] !== rect[3];
    if (value === undefined) return visible ? 'other' : 'form';
    return !visible && value.name('Type') === 'DocTimeStamp' ? 'validation' : 'form';
  }

  private fieldOf(dict: Dict | undefined, parent?: string): Role {
    const name = parent === undefined ? fullName(this.before, dict) : fieldName(this.before, dict, parent);
    const type = fieldType(this.before, dict);
    return { is: 'field', name, type, signed: type === 'Sig' && inherited(this.before, dict, 'V') instanceof Dict };
  }

  /** Records that the value in this role differs. */
  private differ(role: Role): void {
    if (role.is === 'strict') this.note(role.kind, role.what, role.field);
    else if (role.is === 'field') this.note('other', `field ${role.name}`, role.name);
    else if (role.is === 'pages') this.note('pages', 'pages added or removed');
    else this.note('other', `the ${role.is === 'form' ? 'form' : 'catalog'}`);
  }
}

/** The roles of entries of the catalog; those without one may differ. */
const CATALOG: ReadonlyMap<string, Role | undefined> = new Map<string, Role | undefined>(
  Object.entries({
    Pages: { is: 'pages' },
    AcroForm: { is: 'form' },
    Perms: { is: 'permissions' },
    StructTreeRoot: { is: 'structure' },
    DSS: { is: 'strict', kind: 'validation', what: 'data for validation (/DSS)' },
    Metadata: { is: 'strict', kind: 'validation', what: 'metadata (XMP)' },
    Extensions: undefined,
    Version: undefined,
  } as const),
);

function fieldRole(key: string, role: Extract<Role, { is: 'field' }>, a: Dict, b: Dict): Role | undefined {
  const { name } = role;
  const value = (what: string): Role => ({ is: 'strict', kind: role.signed ? 'other' : 'form', what, field: name });
  if (key === 'Parent' || key === 'P') return undefined;
  if (key === 'Kids') return { is: 'fields', parent: name };
  if (key === 'V' && role.type === 'Sig' && !a.has('V') && b.has('V')) return value(`field ${name} signed`);
  if (key === 'V') return value(role.signed ? `the signature in field ${name}` : `the value of field ${name}`);
  if (key === 'AP' || key === 'AS' || key === 'MK') return value(`the appearance of field ${name}`);
  // Programs set the flags of an empty signature field when it is signed.
  if (key === 'F' && role.type === 'Sig' && !role.signed) return value(`the flags of field ${name}`);
  if (key === 'DA' || key === 'Q') return value(`/${key} of field ${name}`);
  if (key === 'I' || key === 'M') return value(`the value of field ${name}`);
  return { is: 'strict', kind: 'other', what: `/${key} of field ${name}`, field: name };
}

const STRUCTURE: Role = { is: 'strict', kind: 'other', what: '/StructTreeRoot of the catalog' };

const MOST_APPEARANCE = 1 << 20;

/** The plain letters that an appearance shows, without white space; empty where a font has another encoding. */
function shownText(file: PdfFile, num: number): string {
  const bytes = unlessDamaged(undefined, () => file.streamBytes(num, MOST_APPEARANCE)?.bytes);
  const text = Buffer.from(bytes ?? []).toString('latin1');
  const strings = [...text.matchAll(/\(((?:\\.|[^\\()])*)\)/gs)].map(([, inside]) => inside?.replace(/\\(.)/gs, '$1'));
  const words = strings.join('').replace(/\s/g, '');
  return /^[\x21-\x7e]*$/.test(words) ? words : '';
}

function plainText(value: Value): string {
  return value instanceof PdfString ? decodeTextString(value.bytes).replace(/\s/g, '') : '';
}

function samePlainOrRef(a: Value, b: Value): boolean {
  return a instanceof Ref
    ? b instanceof Ref && a.num === b.num
    : a instanceof Dict
      ? b instanceof Dict
      : samePlain(a, b);
}

/** Streams that are compared are small additions to a signed document. Larger ones count as different if they moved. */
const MOST_STREAM = 64 << 20;

/** The raw data of a stream; undefined where the object is none. */
function rawStream(file: PdfFile, num: number): Uint8Array | undefined {
  if (!file.isStream(num)) return undefined;
  return unlessDamaged(Uint8Array.of(), () => file.rawStream(num, MOST_STREAM).raw);
}
