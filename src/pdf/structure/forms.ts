// Merges the form fields of several inputs into one form (ISO 32000-1, 12.7). Colliding names are changed, and each
// field keeps its fonts. Where pages are picked, a field keeps its widgets on these pages, and is dropped where it has
// none.

import { entryAt } from '../../contract/base/present.ts';
import type { Copier } from '../file/copy/copier.ts';
import { listOf } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Writer } from '../file/write/writer.ts';
import { listAt } from '../syntax/arrays.ts';
import { encodeName, stringText } from '../syntax/serialize.ts';
import { decodeTextString } from '../syntax/text-strings.ts';
import { Dict, PdfString, Ref, type Value } from '../syntax/values.ts';
import type { Again, PickedAnnotations } from './annotations.ts';
import { equalValues } from './equal-values.ts';
import { checkCount, type Input, type Numbered, readOnce, readOrLeave, valueText } from './input.ts';
import { nameKey, stringOf } from './name-trees.ts';
import { appearance } from './renaming.ts';
import { suffixed, Unique } from './unique.ts';

interface Form {
  readonly input: Input;
  readonly dict: Dict;
  readonly fields: readonly Value[];
  /** If pages are picked: the fields to keep. */
  readonly kept: KeptFields | undefined;
  names: readonly string[];
  renames: ReadonlyMap<string, string>;
}

/** Deeper chains of fields are taken for circles. */
const MAX_DEPTH = 100;

export class Forms {
  private readonly forms = new Map<number, Form>();
  private readonly resources = new Resources();
  private readonly fields: string[] = [];
  private readonly order: string[] = [];
  private readonly direct: { readonly num: number; readonly text: string }[] = [];
  /** /DA and /Q of the first form that has them; other forms' values are set on their fields. */
  private readonly defaults = new Map<string, string>();
  private flags = 0;
  private needsAppearances = false;
  readonly warnings: string[] = [];

  /** `annotations`: those of the pages, where these are picked. */
  survey(input: Input, annotations?: PickedAnnotations): void {
    const { index, file } = input;
    const form = readOnce(input, readForm);
    if (form === undefined) return;
    const { dict, fields: all, tops } = form;
    checkCount(file, all.length, 'form fields');
    const kept = annotations === undefined ? undefined : new KeptFields(input, tops, annotations.widgets);
    const fields = kept === undefined ? all : all.filter((field) => field instanceof Ref && kept.all.has(field.num));
    if (kept !== undefined && fields.length === 0) return;
    this.forms.set(index, { input, dict, fields, kept, names: [], renames: new Map() });
    if (dict.has('XFA')) {
      this.warnings.push(`${file.name}: the XFA form is not kept, only its ordinary fields`);
    }
  }

  /** Reads an input's field names, where another one has fields too. Every input was surveyed before. */
  read(input: Input): void {
    const form = this.forms.get(input.index);
    if (form === undefined || this.forms.size < 2) return;
    form.names = form.fields.flatMap((field) =>
      readOrLeave(input, 'form fields', [], () => nameIn(input.file, field) ?? []),
    );
  }

  settle(): void {
    // A period would split the name in two.
    const unique = new Unique('_', (name) => decodeTextString(stringOf(name).bytes));
    for (const [index, { names }] of this.forms) unique.know(names, index);
    for (const form of this.forms.values()) {
      const { input, dict } = form;
      form.renames = unique.rename(form.names, input.index);
      const survey = (): void => this.resources.survey(input, dict.get('DR'));
      readOrLeave(input, 'resources of form fields', undefined, survey);
    }
  }

  /** New resource names of an input's fonts, for fields that use them; undefined where none changes. */
  fonts({ index }: Input): ReadonlyMap<string, string> | undefined {
    return this.resources.fonts(index);
  }

  /** New full names of an input's fields, for actions that name them; undefined where none changes. */
  fieldNames(input: Input): { size: number; get(name: string): string | undefined } | undefined {
    const renames = this.forms.get(input.index)?.renames;
    if (renames === undefined || renames.size === 0) return undefined;
    return {
      size: renames.size,
      get: (name) => {
        const end = endOfFirst(name);
        const fresh = renames.get(name.slice(0, end));
        return fresh === undefined ? undefined : `${fresh}${name.slice(end)}`;
      },
    };
  }

  /** Whether fields were renamed, which the input's scripts do not know. */
  renamed({ index }: Input): boolean {
    return (this.forms.get(index)?.renames.size ?? 0) > 0;
  }

  /** Plans changes of an input's fields. Its annotations were placed before. */
  place({ index, file }: Input, { copier }: Numbered, annotations?: PickedAnnotations): void {
    const form = this.forms.get(index);
    if (form === undefined) return;
    const { dict, fields, kept } = form;
    this.resources.place(index, copier);
    const defaults = this.ownDefaults(form, copier);
    const again = annotations === undefined ? undefined : this.placeAgain(form, annotations.widgetsAgain);
    kept?.place(copier, again?.kids ?? new Map());
    for (const field of fields) {
      const changes = this.changesOf(form, field, defaults);
      if (field instanceof Ref) {
        if (changes.size > 0) copier.plan(field.num, changes);
        this.fields.push(valueText(field, copier));
      } else if (field instanceof Dict) {
        const num = copier.writer.allocate();
        const plain = new Dict([...field].filter(([key]) => !changes.has(key)));
        const entries = [...changes].map(([key, value]) => `/${key} ${value}`).join('');
        this.direct.push({ num, text: `${valueText(plain, copier).slice(0, -2)}${entries}>>` });
        this.fields.push(`${num} 0 R`);
      }
    }
    for (const fresh of again?.tops ?? []) this.fields.push(`${fresh} 0 R`);
    for (const item of listOf(file, dict.get('CO'))) {
      if (kept === undefined || (item instanceof Ref && kept.all.has(item.num)))
        this.order.push(valueText(item, copier));
    }
    const flags = file.resolve(dict.get('SigFlags'));
    if (typeof flags === 'number') this.flags |= flags;
    if (file.resolve(dict.get('NeedAppearances')) === true) this.needsAppearances = true;
  }

  async write(writer: Writer): Promise<string> {
    if (this.forms.size === 0) return '';
    for (const { num, text } of this.direct) await writer.object(num, text);
    const entries = [
      `/Fields[${this.fields.join(' ')}]`,
      ...(this.order.length === 0 ? [] : [`/CO[${this.order.join(' ')}]`]),
      ...(this.flags === 0 ? [] : [`/SigFlags ${this.flags}`]),
      ...(this.needsAppearances ? ['/NeedAppearances true'] : []),
      this.resources.write(),
      ...[...this.defaults].map(([key, value]) => `/${key} ${value}`),
    ];
    const num = writer.allocate();
    await writer.object(num, `<<${entries.join('')}>>`);
    return `/AcroForm ${num} 0 R`;
  }

  /** Widgets of repeated pages are added to their field; one that is a field itself becomes a field of another name. */
  private placeAgain({ input }: Form, widgets: readonly Again[]): { kids: Map<number, number[]>; tops: number[] } {
    const kids = new Map<number, number[]>();
    const tops: number[] = [];
    for (const { num, fresh, entries } of widgets) {
      const parent = input.file.dict(new Ref(num, 0))?.get('Parent');
      if (parent instanceof Ref) listAt(kids, parent.num).push(fresh);
      else {
        const name = nameIn(input.file, new Ref(num, 0)) ?? '';
        entries.set('T', stringText(stringOf(suffixed(name, `_${fresh}`)).bytes));
        tops.push(fresh);
      }
    }
    return { kids, tops };
  }

  /** Defaults of the form that differ from the output's: they are set on its fields. */
  private ownDefaults({ dict, input }: Form, copier: Numbered['copier']): Map<string, string> {
    const renames = new Map<string, string>();
    for (const key of ['DA', 'Q']) {
      const value = input.file.resolve(dict.get(key));
      if (value === null) continue;
      const fonts = this.resources.fonts(input.index);
      const text = valueText((fonts === undefined ? undefined : appearance(value, fonts)) ?? value, copier);
      const known = this.defaults.get(key);
      if (known === undefined) this.defaults.set(key, text);
      if (known !== undefined && known !== text) renames.set(key, text);
    }
    return renames;
  }

  private changesOf(
    { input, renames }: Form,
    field: Value,
    defaults: ReadonlyMap<string, string>,
  ): Map<string, string> {
    const changes = new Map<string, string>();
    if (renames.size === 0 && defaults.size === 0) return changes;
    const dict = input.file.dict(field);
    const name = nameIn(input.file, field);
    const fresh = name === undefined ? undefined : renames.get(name);
    if (fresh !== undefined) changes.set('T', stringText(stringOf(fresh).bytes));
    for (const [key, value] of defaults) if (dict?.has(key) === false) changes.set(key, value);
    return changes;
  }
}

/** The fields that have widgets on picked pages, and their ancestors. */
class KeptFields {
  readonly all: ReadonlySet<number>;
  private readonly input: Input;
  /** The remaining kids of each of them. */
  private readonly kids = new Map<number, Set<number>>();

  constructor(input: Input, tops: ReadonlySet<number>, widgets: readonly number[]) {
    const { file } = input;
    this.input = input;
    const all = new Set(widgets);
    for (const widget of widgets) {
      let num = widget;
      for (let depth = 0; depth < MAX_DEPTH && !tops.has(num); depth++) {
        const parent = file.dict(new Ref(num, 0))?.get('Parent');
        if (!(parent instanceof Ref) || file.dict(parent) === undefined) break;
        all.add(parent.num);
        this.kids.set(parent.num, (this.kids.get(parent.num) ?? new Set()).add(num));
        num = parent.num;
      }
    }
    this.all = all;
  }

  /** Plans /Kids of the fields. `again`: output numbers of additional widgets, by field. */
  place(copier: Copier, again: ReadonlyMap<number, readonly number[]>): void {
    const { file } = this.input;
    for (const [field, kidNumbers] of this.kids) {
      const order = listOf(file, file.dict(new Ref(field, 0))?.get('Kids'));
      const kept = order.filter((kid) => kid instanceof Ref && kidNumbers.has(kid.num));
      const texts = kept.map((kid) => valueText(kid, copier));
      for (const num of again.get(field) ?? []) texts.push(`${num} 0 R`);
      copier.plan(field, new Map([['Kids', `[${texts.join(' ')}]`]]));
    }
  }
}

function readForm({ file, catalog }: Input) {
  const dict = file.dict(catalog.get('AcroForm'));
  if (dict === undefined) return undefined;
  const fields = listOf(file, dict.get('Fields')).filter((item) => item instanceof Ref || item instanceof Dict);
  return { dict, fields, tops: new Set(fields.map((field) => (field instanceof Ref ? field.num : 0))) };
}

/** The end of the first part of a full name: at a period, which takes two bytes in UTF-16. */
function endOfFirst(name: string): number {
  if (!name.startsWith('\xfe\xff')) return name.includes('.') ? name.indexOf('.') : name.length;
  let end = 2;
  while (end < name.length && name.slice(end, end + 2) !== '\0.') end += 2;
  return end;
}

function nameIn(file: PdfFile, field: Value): string | undefined {
  const name = file.resolve(file.dict(field)?.get('T'));
  return name instanceof PdfString ? nameKey(name) : undefined;
}

// Merges resources of forms (/DR): different fonts of one name get new names.

interface Variant {
  readonly input: Input;
  readonly value: Value;
  readonly name: string;
}

class Resources {
  /** Resources of the inputs by category and name: different ones may have the same name. */
  private readonly categories = new Map<string, Map<string, Variant[]>>();
  private readonly taken = new Set<string>();
  private readonly renames = new Map<number, Map<string, string>>();
  private readonly texts = new Map<string, string[]>();

  survey(input: Input, value: Value | undefined): void {
    for (const [category, list] of input.file.dict(value) ?? []) {
      const resources = input.file.resolve(list);
      // /ProcSet is an array that readers ignore today.
      if (!(resources instanceof Dict)) continue;
      const names = entryAt(this.categories, category, () => new Map<string, Variant[]>());
      for (const [name, item] of resources) this.choose(input, category, name, item, listAt(names, name));
    }
  }

  private choose(input: Input, category: string, name: string, value: Value, variants: Variant[]): void {
    const free = !this.taken.has(`${category}/${name}`);
    const known = variants.find((other) => equalValues(other.input.file, other.value, input.file, value));
    // Only fonts are named from outside the resources (/DA); of other categories the first resource wins.
    if (known === undefined && !free && category !== 'Font') return;
    let fresh = known?.name ?? name;
    if (known === undefined) {
      for (let number = input.index + 1; this.taken.has(`${category}/${fresh}`); number++) fresh = `${name}_${number}`;
      this.taken.add(`${category}/${fresh}`);
      variants.push({ input, value, name: fresh });
    }
    if (fresh === name || category !== 'Font') return;
    entryAt(this.renames, input.index, () => new Map<string, string>()).set(name, fresh);
  }

  fonts(index: number): ReadonlyMap<string, string> | undefined {
    return this.renames.get(index);
  }

  place(index: number, copier: Copier): void {
    for (const [category, names] of this.categories) {
      const texts = listAt(this.texts, category);
      for (const variants of names.values()) {
        for (const { input, value, name } of variants) {
          if (input.index === index) texts.push(`/${encodeName(name)} ${valueText(value, copier)}`);
        }
      }
    }
  }

  write(): string {
    const categories = [...this.texts].map(([category, texts]) => `/${encodeName(category)}<<${texts.join('')}>>`);
    return categories.length === 0 ? '' : `/DR<<${categories.join('')}>>`;
  }
}
