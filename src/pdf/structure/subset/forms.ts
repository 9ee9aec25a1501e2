// Form fields of picked pages: those with a widget there, and of a field with widgets elsewhere only these.
import { Dict, Ref } from '../../syntax/values.ts';
import { type Input, listOf, type Numbered, valueText } from '../input.ts';

/** Fields are some levels deep; a chain longer than this leads nowhere. */
const MAX_DEPTH = 100;

export class Fields {
  private readonly input: Input;
  private readonly form: Dict | undefined;
  /** The places of the top fields in the form's list. */
  private readonly tops = new Map<number, number>();

  constructor(input: Input) {
    const { file, catalog } = input;
    this.input = input;
    this.form = file.dict(catalog.get('AcroForm'));
    for (const [i, field] of listOf(file, this.form?.get('Fields')).entries()) {
      if (field instanceof Ref) this.tops.set(field.num, i);
    }
  }

  /** Plans the fields of these widgets; returns the catalog's entry. */
  place(widgets: readonly number[], { copier }: Numbered): string {
    const { file } = this.input;
    const { form } = this;
    if (form === undefined || widgets.length === 0) return '';
    const kids = new Map<number, Set<number>>();
    const tops = new Set<number>();
    const all = new Set(widgets);
    for (const widget of widgets) {
      let num = widget;
      for (let depth = 0; depth < MAX_DEPTH; depth++) {
        const parent = file.dict(new Ref(num, 0))?.get('Parent');
        if (!(parent instanceof Ref) || file.dict(parent) === undefined) break;
        all.add(parent.num);
        kids.set(parent.num, (kids.get(parent.num) ?? new Set()).add(num));
        num = parent.num;
      }
      if (this.tops.has(num)) tops.add(num);
    }
    for (const [field, own] of kids) {
      const order = listOf(file, file.dict(new Ref(field, 0))?.get('Kids'));
      const kept = order.filter((kid) => kid instanceof Ref && own.has(kid.num));
      copier.changes.set(field, new Map([['Kids', `[${kept.map((kid) => valueText(kid, copier)).join(' ')}]`]]));
    }
    if (tops.size === 0) return '';
    const fields = [...tops].sort((a, b) => this.tops.get(a)! - this.tops.get(b)!);
    const order = listOf(file, form.get('CO')).filter((item) => item instanceof Ref && all.has(item.num));
    const rest = new Dict([...form].filter(([key]) => !['Fields', 'CO', 'XFA'].includes(key)));
    const entries = [
      valueText(rest, copier).slice(0, -2),
      `/Fields[${fields.map((num) => valueText(new Ref(num, 0), copier)).join(' ')}]`,
      ...(order.length === 0 ? [] : [`/CO[${order.map((item) => valueText(item, copier)).join(' ')}]`]),
    ];
    return `/AcroForm${entries.join('')}>>`;
  }
}
