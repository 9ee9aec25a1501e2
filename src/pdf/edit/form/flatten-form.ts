// Flattens forms: what fields show is drawn on their pages, and nothing can be filled in any more.

import type { Draft } from '../../../contract/base/ports.ts';
import { operands } from '../../content/operands.ts';
import { surrounded } from '../../content/surrounded.ts';
import type { Copier } from '../../file/copy/copier.ts';
import { FORM_ENTRIES, type NewEntries, UNCHANGED } from '../../file/copy/new-entries.ts';
import { rewrite } from '../../file/copy/rewrite.ts';
import { catalogOf, listOf, nameAt } from '../../file/read/entries.ts';
import type { Pace } from '../../file/read/pace.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { Source } from '../../file/read/source.ts';
import { appearanceOf } from '../../page/annotations.ts';
import { valueText } from '../../structure/input.ts';
import { PageResources, type ResourceBudget } from '../page-resources.ts';

/** Writes the document without fields into an unfinished draft. Returns how many were drawn. */
export async function flattenForm(source: Source, draft: Draft, id: string, pace: Pace): Promise<number> {
  const { file } = source;
  let drawn = 0;
  const budget: ResourceBudget = { left: 256 * 1024 * 1024 };
  const change = async (page: Page, copier: Copier): Promise<NewEntries> => {
    const dict = wholeDictOfPage(file, page);
    const list = listOf(file, dict.get('Annots'));
    const isField = (item: (typeof list)[number]) => nameAt(file, file.dict(item), 'Subtype') === 'Widget';
    const fields = list.filter(isField);
    if (fields.length === 0) return UNCHANGED;
    const looks = fields.flatMap((item) => {
      const widget = file.dict(item);
      return (widget === undefined ? undefined : appearanceOf(file, widget)) ?? [];
    });
    const rest = list.filter((item) => !isField(item));
    const annotations = rest.length === 0 ? undefined : `[${rest.map((item) => valueText(item, copier)).join(' ')}]`;
    const entries = new Map<string, string | undefined>([['Annots', annotations]]);
    if (looks.length === 0) return entries;
    drawn += looks.length;
    for (const { form } of looks) copier.plan(form.num, FORM_ENTRIES);
    const added = looks.map(({ form }) => ({ category: 'XObject', name: 'Field', num: copier.ref(form.num) }) as const);
    const resources = await new PageResources(copier, added, budget).of(page, dict);
    const operators = looks.map(({ matrix }, i) => `q ${operands(matrix)} cm /${resources.names[i]} Do Q`);
    entries.set('Contents', surrounded(copier, dict, { after: operators.join('\n') }));
    entries.set('Resources', resources.text);
    return entries;
  };
  await rewrite(source, draft, id, pace, change, (copier) => {
    if (catalogOf(file).has('AcroForm')) copier.planCatalog(new Map([['AcroForm', undefined]]));
  });
  return drawn;
}
