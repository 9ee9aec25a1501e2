// Form fields (ISO 32000-1, 12.7) through a merge: one form of all, names made distinct, fonts found as before.
import type { PdfFile } from '../read/pdf-file.ts';
import { stringText } from '../syntax/serialize.ts';
import { decodeText } from '../syntax/text-strings.ts';
import { Dict, PdfString, Ref, type Value } from '../syntax/values.ts';
import type { Writer } from '../write/writer.ts';
import { Resources } from './form-resources.ts';
import { checkCount, type Input, listOf, type Numbered, readOrLeave, valueText } from './input.ts';
import { nameOf, stringOf } from './name-trees.ts';
import { appearance } from './renaming.ts';
import { Unique } from './unique.ts';

interface Form {
  readonly input: Input;
  readonly dict: Dict;
  /** Top fields: references, or dictionaries that stand in the list themselves. */
  readonly fields: readonly Value[];
  names: readonly string[];
  renames: ReadonlyMap<string, string>;
}

export class Forms {
  private readonly forms = new Map<number, Form>();
  private readonly resources = new Resources();
  private readonly fields: string[] = [];
  private readonly order: string[] = [];
  private readonly direct: { readonly num: number; readonly text: string }[] = [];
  /** /DA and /Q of the first form that has them; the others' go to their fields. */
  private readonly defaults = new Map<string, string>();
  private flags = 0;
  private needsAppearances = false;
  readonly warnings: string[] = [];

  survey(input: Input): void {
    const { index, file, catalog } = input;
    const dict = file.dict(catalog.get('AcroForm'));
    if (dict === undefined) return;
    const fields = listOf(file, dict.get('Fields')).filter((item) => item instanceof Ref || item instanceof Dict);
    checkCount(file, fields.length, 'form fields');
    this.forms.set(index, { input, dict, fields, names: [], renames: new Map() });
    if (dict.has('XFA')) {
      this.warnings.push(`${file.name}: the XFA form is not kept, only its ordinary fields`);
    }
  }

  /** Reads the names of an input's fields where another one has fields too. Every input was surveyed before. */
  read(input: Input): void {
    const form = this.forms.get(input.index);
    if (form === undefined || this.forms.size < 2) return;
    form.names = form.fields.flatMap((field) => {
      return readOrLeave(input, 'form fields', [], () => nameIn(input.file, field) ?? []);
    });
  }

  /** Finds the names that collide. */
  settle(): void {
    // A period would make it a name of two parts.
    const unique = new Unique('_', (name) => decodeText(stringOf(name).bytes));
    for (const [index, { names }] of this.forms) unique.know(names, index);
    for (const form of this.forms.values()) {
      const { input, dict } = form;
      form.renames = unique.rename(form.names, input.index);
      const survey = (): void => this.resources.survey(input, dict.get('DR'));
      readOrLeave(input, 'resources of form fields', undefined, survey);
    }
  }

  /** New resource names of an input's fonts, for the fields that use them; undefined where none changes. */
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

  /** Whether fields of the input have other names now, which its scripts do not know. */
  renamed({ index }: Input): boolean {
    return (this.forms.get(index)?.renames.size ?? 0) > 0;
  }

  place({ index, file }: Input, { copier }: Numbered): void {
    const form = this.forms.get(index);
    if (form === undefined) return;
    const { dict, fields, renames } = form;
    this.resources.place(index, copier);
    const defaults = this.ownDefaults(form, copier);
    for (const field of fields) {
      const changes = this.changesOf(form, field, renames, defaults);
      if (field instanceof Ref) {
        if (changes.size > 0) copier.changes.set(field.num, changes);
        this.fields.push(valueText(field, copier));
      } else if (field instanceof Dict) {
        const num = copier.writer.allocate();
        const plain = new Dict([...field].filter(([key]) => !changes.has(key)));
        const entries = [...changes].map(([key, value]) => `/${key} ${value}`).join('');
        this.direct.push({ num, text: `${valueText(plain, copier).slice(0, -2)}${entries}>>` });
        this.fields.push(`${num} 0 R`);
      }
    }
    for (const item of listOf(file, dict.get('CO'))) this.order.push(valueText(item, copier));
    const flags = file.resolve(dict.get('SigFlags'));
    if (typeof flags === 'number') this.flags |= flags;
    if (file.resolve(dict.get('NeedAppearances')) === true) this.needsAppearances = true;
  }

  /** The catalog's entry; empty where no input has a form. */
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

  /** Defaults of the form that are not those of the output: its fields must have them themselves. */
  private ownDefaults({ dict, input }: Form, copier: Numbered['copier']): Map<string, string> {
    const own = new Map<string, string>();
    for (const key of ['DA', 'Q']) {
      const value = input.file.resolve(dict.get(key));
      if (value === null) continue;
      const fonts = this.resources.fonts(input.index);
      const text = valueText((fonts === undefined ? undefined : appearance(value, fonts)) ?? value, copier);
      const known = this.defaults.get(key);
      if (known === undefined) this.defaults.set(key, text);
      if (known !== undefined && known !== text) own.set(key, text);
    }
    return own;
  }

  private changesOf(
    { input }: Form,
    field: Value,
    renames: ReadonlyMap<string, string>,
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

/** Where the first part of a full name ends: at a period, of two bytes in UTF-16. */
function endOfFirst(name: string): number {
  if (!name.startsWith('\xfe\xff')) return name.includes('.') ? name.indexOf('.') : name.length;
  let end = 2;
  while (end < name.length && name.slice(end, end + 2) !== '\0.') end += 2;
  return end;
}

/** The partial name of a field. */
function nameIn(file: PdfFile, field: Value): string | undefined {
  const name = file.resolve(file.dict(field)?.get('T'));
  return name instanceof PdfString ? nameOf(name) : undefined;
}
