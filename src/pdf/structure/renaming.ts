// Changes objects to follow renamed things: links to destinations, fields of actions, keys of tags, fonts.
import type { Copier } from '../file/copy/copier.ts';
import type { NewEntries, ObjectChange } from '../file/copy/new-entries.ts';
import { BRACKET_OPEN, LESS, PAREN_OPEN, SLASH } from '../syntax/characters.ts';
import { decodeName, Parser } from '../syntax/parser.ts';
import type { Scan } from '../syntax/scan.ts';
import { encodeName } from '../syntax/serialize.ts';
import { Dict, Name, PdfString, type Value } from '../syntax/values.ts';
import { WATCHED } from '../syntax/watched-names.ts';
import { valueText } from './input.ts';
import { nameKey, stringOf } from './name-trees.ts';

/** New names by the old ones, one character a byte. */
interface ByName {
  readonly size: number;
  get(name: string): string | undefined;
}

export interface Renamings {
  readonly destinations?: ByName | undefined;
  /** Fonts of form fields, by resource name. */
  readonly fonts?: ByName | undefined;
  /** Form fields, by full name. */
  readonly fields?: ByName | undefined;
  /** Added to the keys by which pages, annotations and forms find their tags. */
  readonly tagOffset?: number | undefined;
  /** Identifiers, roles and classes of tags. */
  readonly ids?: ByName | undefined;
  readonly roles?: ByName | undefined;
  readonly classes?: ByName | undefined;
  readonly tagKeys?: Set<number> | undefined;
  /** Bookmarks lose their structure elements, each of which would bring along all tags of the input. */
  readonly untagged?: boolean | undefined;
}

export class Renaming implements ObjectChange {
  readonly names: number;
  private readonly copier: Copier;
  private readonly changes: Renamings;

  constructor(copier: Copier, changes: Renamings) {
    this.copier = copier;
    this.changes = changes;
    const { destinations, fonts, fields, tagOffset, tagKeys, ids, roles, classes, untagged } = changes;
    this.names =
      (some(destinations) ? WATCHED.Dest | WATCHED.GoTo : 0) |
      (some(fonts) ? WATCHED.DA : 0) |
      (some(fields) ? WATCHED.Fields | WATCHED.Hide : 0) |
      ((tagOffset ?? 0) > 0 || tagKeys !== undefined ? WATCHED.StructParent : 0) |
      (some(ids) ? WATCHED.ID | WATCHED.Headers : 0) |
      (some(roles) || some(classes) ? WATCHED.S : 0) |
      (untagged === true ? WATCHED.SE : 0);
  }

  change(num: number, object: Scan): NewEntries | (() => void) | undefined {
    const { copier } = this;
    const value = this.parsed(num, object);
    if (value instanceof Dict) {
      const entries = new Map<string, string>();
      for (const [key, item] of value) {
        const fresh = this.entry(value, key, item);
        if (fresh !== undefined) entries.set(encodeName(key), valueText(fresh, copier));
      }
      return entries.size === 0 ? undefined : entries;
    }
    const fresh = this.inside(value);
    if (fresh === undefined) return undefined;
    const text = valueText(fresh, copier);
    return () => copier.writer.text(text);
  }

  /** The parsed object; of a dictionary only the entries that may change, since most have a link and a rectangle. */
  private parsed(num: number, object: Scan): Value {
    const { file } = this.copier;
    if (!object.isDict || file.decryption !== undefined) return file.object(num);
    const dict = new Dict();
    for (const [key, { start, end }] of object.entries()) {
      if (matters(key, object.bytes, start, end)) dict.set(key, new Parser(object.bytes, start).value());
    }
    return dict;
  }

  /** The new value of a dictionary's entry; undefined where it stays. */
  private entry(dict: Dict, key: string, item: Value): Value | undefined {
    const { destinations, fonts, fields, tagOffset = 0, tagKeys, ids, roles, classes } = this.changes;
    const isIn = (kind: string): boolean => dict.name('S') === kind;
    if (key === 'Dest' || (key === 'D' && isIn('GoTo'))) return this.destination(item, destinations);
    if (key === 'StructParent' || key === 'StructParents') {
      const target = this.resolved(item);
      if (typeof target === 'number') tagKeys?.add(target);
      return tagOffset > 0 && typeof target === 'number' ? target + tagOffset : undefined;
    }
    if (key === 'DA') return fonts === undefined ? undefined : appearance(this.resolved(item), fonts);
    if (key === 'Fields' || (key === 'T' && isIn('Hide'))) return renamedStrings(this.resolved(item), fields);
    if (key === 'T') return undefined;
    if (key === 'ID') return isTag(dict) ? renamedString(this.resolved(item), ids) : undefined;
    if (key === 'Headers') return renamedStrings(this.resolved(item), ids);
    if (key === 'SE' && this.changes.untagged === true && this.isElement(item)) return null;
    if (key === 'S') return isTag(dict) ? renamedName(item, roles) : undefined;
    if (key !== 'C' || !isTag(dict)) return this.inside(item);
    return Array.isArray(item) ? mapChanged(item, (name) => renamedName(name, classes)) : renamedName(item, classes);
  }

  /** The value with direct inner values changed. The parser bounds nesting. */
  private inside(value: Value): Value | undefined {
    if (Array.isArray(value)) return mapChanged(value, (item) => this.inside(item));
    if (!(value instanceof Dict)) return undefined;
    let fresh: Dict | undefined;
    for (const [key, item] of value) {
      const changed = this.entry(value, key, item);
      if (changed === undefined) continue;
      fresh ??= new Dict(value);
      fresh.set(key, changed);
    }
    return fresh;
  }

  private isElement(item: Value): boolean {
    const target = this.resolved(item);
    return target instanceof Dict && isTag(target);
  }

  private resolved(item: Value): Value {
    return this.copier.file.resolve(item);
  }

  private destination(item: Value, renames: ByName | undefined): Value | undefined {
    if (renames === undefined) return undefined;
    const target = this.resolved(item);
    return renamedString(target, renames) ?? renamedName(target, renames);
  }
}

/** Whether an entry may change, or decides what does: not /Rect and /Border, which every link has. */
function matters(key: string, bytes: Uint8Array, start: number, end: number): boolean {
  // /A, /D, /S, /DA, /ID, /Dest, /Next, /Type and the like, or /StructParent.
  if (bytes[start] !== BRACKET_OPEN && bytes[start] !== LESS) return key.length <= 4 || key.length >= 12;
  return bytes.subarray(start, end).some((byte) => byte === SLASH || byte === PAREN_OPEN || byte === LESS);
}

function some(renames: ByName | undefined): boolean {
  return renames !== undefined && renames.size > 0;
}

/** Whether it is a structure element: /Type is optional there, /S and /P are not. */
function isTag(dict: Dict): boolean {
  const type = dict.name('Type');
  return type === 'StructElem' || (type === undefined && dict.get('S') instanceof Name && dict.has('P'));
}

function mapChanged(list: readonly Value[], change: (item: Value) => Value | undefined): Value[] | undefined {
  let fresh: Value[] | undefined;
  for (const [i, item] of list.entries()) {
    const changed = change(item);
    if (changed === undefined) continue;
    fresh ??= [...list];
    fresh[i] = changed;
  }
  return fresh;
}

function renamedString(value: Value, renames: ByName | undefined): PdfString | undefined {
  const fresh = value instanceof PdfString ? renames?.get(nameKey(value)) : undefined;
  return fresh === undefined ? undefined : stringOf(fresh);
}

function renamedStrings(value: Value, renames: ByName | undefined): Value | undefined {
  if (Array.isArray(value)) return mapChanged(value, (item) => renamedString(item, renames));
  return renamedString(value, renames);
}

function renamedName(value: Value, renames: ByName | undefined): Name | undefined {
  const fresh = value instanceof Name ? renames?.get(value.value) : undefined;
  return fresh === undefined ? undefined : new Name(fresh);
}

/** A default appearance (12.7.3.3) with its font renamed: `/Helv 12 Tf`. */
export function appearance(value: Value, fonts: ByName): PdfString | undefined {
  if (!(value instanceof PdfString)) return undefined;
  const text = nameKey(value);
  const fresh = text.replace(/\/([^\s/()<>[\]{}%]+)(?=\s+[-+.\d]+\s+Tf)/g, (whole, name: string) => {
    const renamed = fonts.get(decodeName(name));
    return renamed === undefined ? whole : `/${encodeName(renamed)}`;
  });
  return fresh === text ? undefined : stringOf(fresh);
}
