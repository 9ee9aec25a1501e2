// Keeps form fields (ISO 32000-1, 12.7) without secrets and outside of regions; draws the others on their page.
import { catalogOf } from '../../file/read/entries.ts';
import { annotationsOf } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import { appearanceOf, isHiddenAnnotation } from '../../page/annotations.ts';
import { rectOf } from '../../page/boxes.ts';
import { meets } from '../../page/geometry.ts';
import { Dict, dictOf, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { editUnplaced } from '../content/content-editor.ts';
import type { DocumentEdit, Removal } from '../content/page-edit.ts';
import { name } from '../objects/output-document.ts';

const MOST_DEPTH = 50;
/** Inheritable entries of a field. */
const INHERITED = ['FT', 'Ff', 'V', 'DV', 'DA', 'Q', 'MaxLen', 'Opt', 'TU', 'I', 'TI'];
const OF_WIDGET = ['Rect', 'F', 'AS', 'H', 'BS', 'MK', 'DA', 'Q'];

interface Field {
  readonly ref: Ref;
  /** As they are in the source. */
  readonly entries: Dict;
  readonly names: readonly PdfString[];
  readonly widgets: { readonly num: number; readonly dict: Dict; readonly page: number; readonly ref: Ref }[];
}

const nameOf = (value: Value) => (value instanceof Name ? value.value : undefined);

export class KeptFields {
  /** Kept widgets: object number in the source to reference in the output. */
  readonly widgets = new Map<number, Ref>();
  all = 0;
  kept = 0;
  private readonly document: DocumentEdit;
  private readonly fields: Field[] = [];

  /** `removalOf`: the removal on a page, from 0; undefined for one whose fields cannot be kept. */
  constructor(
    document: DocumentEdit,
    pages: readonly Page[],
    keeps: (value: Value) => boolean,
    removalOf: (page: number) => Removal | undefined,
  ) {
    this.document = document;
    const { file, output } = document;
    const fields = new Map<number, Field>();
    const refused = new Set<number>();
    for (const [page, target] of pages.entries())
      for (const item of annotationsOf(file, target)) {
        const dict = file.dict(item);
        if (!(item instanceof Ref) || dict?.name('Subtype') !== 'Widget') continue;
        const chain = this.chainOf(item);
        const end = chain.find((ref) => file.dict(ref)?.has('T') === true) ?? item;
        const field = fields.get(end.num) ?? this.fieldOf(chain, output.reserve());
        fields.set(end.num, field);
        field.widgets.push({ num: item.num, dict, page, ref: output.reserve() });
        if (!this.mayStay(field, dict, removalOf(page))) refused.add(end.num);
      }
    this.all = fields.size;
    for (const [num, field] of fields)
      if (!refused.has(num) && this.copyWidgets(field, keeps)) {
        this.fields.push(field);
        for (const { num: widget, ref } of field.widgets) this.widgets.set(widget, ref);
      }
    this.kept = this.fields.length;
  }

  on(page: number): Ref[] {
    return this.fields.flatMap(({ widgets }) =>
      widgets.flatMap((widget) => (widget.page === page ? [widget.ref] : [])),
    );
  }

  /** The form dictionary; undefined where no field is kept. `pages`: those of the output. */
  write(pages: readonly Ref[]): Ref | undefined {
    if (this.fields.length === 0) return undefined;
    const { file, output, copier } = this.document;
    const form = file.dict(catalogOf(file).get('AcroForm'));
    const tops: Ref[] = [];
    const groups = new Map<string, { readonly ref: Ref; readonly kids: Ref[] }>();
    for (const { ref, entries, names, widgets } of this.fields) {
      let path = '';
      let above: { readonly ref: Ref; readonly kids: Ref[] } | undefined;
      for (const part of names.slice(0, -1)) {
        path += `${Buffer.from(part.bytes).toString('hex')}.`;
        let group = groups.get(path);
        if (group === undefined) {
          group = { ref: output.reserve(), kids: [] };
          groups.set(path, group);
          (above?.kids ?? tops).push(group.ref);
          output.set(group.ref, dictOf({ T: part, Parent: above?.ref, Kids: group.kids }));
        }
        above = group;
      }
      (above?.kids ?? tops).push(ref);
      const field = new Dict([...entries].map(([key, value]) => [key, copier.copy(value)]));
      const kids = widgets.map((widget) => widget.ref);
      field.set('Kids', kids);
      field.set('T', names.at(-1) ?? null);
      if (above !== undefined) field.set('Parent', above.ref);
      output.set(ref, field);
      for (const { ref: widget, page } of widgets) {
        const dict = output.get(widget);
        if (dict instanceof Dict) dict.set('P', pages[page] ?? null);
      }
    }
    const fonts = file.dict(file.dict(form?.get('DR'))?.get('Font'));
    return output.addDict({
      Fields: tops,
      DA: form?.has('DA') === true ? copier.copy(form.get('DA')) : undefined,
      DR: fonts === undefined ? undefined : dictOf({ Font: copier.copy(fonts) }),
      NeedAppearances: file.resolve(form?.get('NeedAppearances')) === true ? true : undefined,
    });
  }

  private chainOf(widget: Ref): Ref[] {
    const chain: Ref[] = [];
    let at: Value | undefined = widget;
    while (at instanceof Ref && chain.length < MOST_DEPTH) {
      chain.push(at);
      at = this.document.file.dict(at)?.get('Parent');
    }
    return chain;
  }

  private fieldOf(chain: readonly Ref[], ref: Ref): Field {
    const { file } = this.document;
    const dicts = chain.flatMap((node) => file.dict(node) ?? []);
    const entries = new Dict();
    for (const key of INHERITED) {
      const value = dicts.find((dict) => dict.has(key))?.get(key);
      if (value !== undefined) entries.set(key, value);
    }
    const names = dicts.map((dict) => file.resolve(dict.get('T'))).filter((value) => value instanceof PdfString);
    return { ref, entries, names: names.reverse(), widgets: [] };
  }

  private mayStay({ entries, names }: Field, widget: Dict, removal: Removal | undefined): boolean {
    const { file, layers } = this.document;
    const type = nameOf(file.resolve(entries.get('FT')));
    const rect = rectOf(file, widget.get('Rect'));
    if (removal?.keeps === undefined || rect === undefined || names.length === 0) return false;
    if (!(type === 'Tx' || type === 'Btn' || type === 'Ch')) return false;
    if (isHiddenAnnotation(file, widget) || !layers.shows(widget.get('OC'))) return false;
    if ([...removal.regions, ...removal.erase].some((box) => meets(box, rect))) return false;
    const widgetValues = OF_WIDGET.map((key) => widget.get(key) ?? null);
    return [...names, ...entries.values(), ...widgetValues].every((value) => this.keepsAll(value, removal, 0));
  }

  /** Whether a value holds no stream and nothing secret. */
  private keepsAll(value: Value, removal: Removal, depth: number): boolean {
    if (depth > MOST_DEPTH) return false;
    if (value instanceof Ref) {
      const { file } = this.document;
      return !file.isStream(value.num) && this.keepsAll(file.resolve(value), removal, depth + 1);
    }
    const inside = Array.isArray(value) ? value : value instanceof Dict ? [...value.values()] : [];
    return removal.keeps?.(value) === true && inside.every((item) => this.keepsAll(item, removal, depth + 1));
  }

  /** False where an appearance would change: the field is then drawn on its page. */
  private copyWidgets({ ref, widgets }: Field, keeps: (value: Value) => boolean): boolean {
    const { file, output, copier } = this.document;
    for (const widget of widgets) {
      const { dict } = widget;
      const made = dictOf({ Type: name('Annot'), Subtype: name('Widget'), Parent: ref });
      for (const key of OF_WIDGET) {
        const value = file.resolve(dict.get(key));
        // Colours and captions of /MK, but not its icons.
        const kept = value instanceof Dict ? new Dict([...value].filter(([, item]) => !(item instanceof Ref))) : value;
        if (value !== null) made.set(key, copier.copy(kept));
      }
      const normal = file.dict(dict.get('AP'))?.get('N');
      if (appearanceOf(file, dict) !== undefined && normal instanceof Ref && file.dict(normal)?.has('BBox') === true) {
        const form = this.form(normal);
        if (form === undefined) return false;
        made.set('AP', dictOf({ N: form }));
      } else {
        const states = new Dict();
        for (const [state, value] of file.dict(normal) ?? []) {
          const form = value instanceof Ref && keeps(new Name(state)) ? this.form(value) : undefined;
          if (form === undefined) return false;
          states.set(state, form);
        }
        if (states.size > 0) made.set('AP', dictOf({ N: states }));
      }
      output.set(widget.ref, made);
    }
    return true;
  }

  /** An appearance without its invisible parts; undefined where something in it was removed. */
  private form(value: Ref): Value | undefined {
    const forms = new Dict([['XObject', new Dict([['Look', value]])]]);
    const made = editUnplaced(Buffer.from('/Look Do'), forms, this.document);
    const drawn = made.resources.get('XObject');
    return drawn instanceof Dict && !made.changed ? drawn.get('Look') : undefined;
  }
}
