import { operands } from '../content/operands.ts';
import type { Copier } from '../file/copy/copier.ts';
import { contentsOf, wholeDictOfPage } from '../file/read/page-dict.ts';
import type { Page } from '../file/read/page-tree.ts';
import { writeStream } from '../file/write/writer.ts';
import { pageContent } from '../page/contents.ts';
import { shownArea, uprightOf, viewOf } from '../page/view.ts';
import { valueText } from '../structure/input.ts';
import { Dict, Ref } from '../syntax/values.ts';

interface PageForm {
  readonly num: number;
  /** In points, as displayed. */
  readonly width: number;
  readonly height: number;
}

/** Writes pages of one file as forms. `copier`: from that file into the output. */
export class PageForms {
  private readonly copier: Copier;
  /** Inherited resources, written once. */
  private readonly shared = new Map<Uint8Array, string>();

  constructor(copier: Copier) {
    this.copier = copier;
  }

  /** `group`: it is blended as a unit. */
  async write(page: Page, group = false): Promise<PageForm> {
    const { copier } = this;
    const { file, writer } = copier;
    const dict = wholeDictOfPage(file, page);
    const view = viewOf(file, dict, page.rotate);
    const { x0, y0, x1, y1 } = shownArea(file, dict);
    const given = file.dict(dict.get('Group'));
    const blended = given === undefined ? (group ? '<</S/Transparency>>' : undefined) : valueText(given, copier);
    const place = { BBox: `[${operands([x0, y0, x1, y1])}]`, Matrix: `[${operands(uprightOf(view))}]` };
    const more = { Resources: await this.resources(page, dict), ...(blended !== undefined && { Group: blended }) };
    const form = { Type: '/XObject', Subtype: '/Form', FormType: '1', ...place, ...more };
    const entries = new Map(Object.entries(form));
    const { width, height } = view;
    const streams = contentsOf(file, dict).filter((item): item is Ref => item instanceof Ref && file.has(item.num));
    const [only] = streams;
    if (only !== undefined && streams.length === 1 && file.isStream(only.num)) {
      const num = writer.allocate();
      await copier.now(only.num, entries, num);
      return { num, width, height };
    }
    const text = [...entries].map(([key, value]) => `/${key} ${value}`).join('');
    return { num: writeStream(writer, text, pageContent(file, dict)), width, height };
  }

  private async resources({ inherited: { Resources: key } }: Page, dict: Dict): Promise<string> {
    const { copier, shared } = this;
    const text = () => valueText(dict.get('Resources') ?? new Dict(), copier);
    if (key === undefined) return text();
    const known = shared.get(key);
    if (known !== undefined) return known;
    const num = copier.writer.allocate();
    await copier.writer.object(num, text());
    shared.set(key, `${num} 0 R`);
    return `${num} 0 R`;
  }
}
