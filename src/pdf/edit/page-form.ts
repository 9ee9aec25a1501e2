// A page as a form XObject (ISO 32000-1, 8.10), as large as it is shown and upright. Its content is copied as it is coded.
import { Failure } from '../../contract/failure.ts';
import { type Copier, DROPPED } from '../copy/copier.ts';
import type { NewEntries } from '../copy/new-entries.ts';
import { contentsOf, wholeDictOfPage } from '../read/page-dict.ts';
import type { Page } from '../read/page-tree.ts';
import { valueText } from '../structure/input.ts';
import { Dict, Ref } from '../syntax/values.ts';
import { viewOf } from '../text/page-view.ts';
import { shownArea } from './boxes.ts';
import { operands, uprightOf } from './matrix.ts';
import { writeStream } from './page-content.ts';

export interface PageForm {
  readonly num: number;
  /** In points, as shown. */
  readonly width: number;
  readonly height: number;
}

/** More than the content of any page has, decoded. */
const CAP = 256 * 1024 * 1024;

/** Writes pages of one file as forms. `copier`: of that file, into the document that gets them. */
export class PageForms {
  private readonly copier: Copier;
  /** Resources that pages inherit, once each. */
  private readonly shared = new Map<Uint8Array, string>();

  constructor(copier: Copier) {
    this.copier = copier;
  }

  /** `group`: it is blended as one thing. */
  async write(page: Page, group = false): Promise<PageForm> {
    return writeForm(this.copier, page, group, (dict) => this.resources(page, dict));
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

async function writeForm(
  copier: Copier,
  page: Page,
  group: boolean,
  resources: (dict: Dict) => Promise<string>,
): Promise<PageForm> {
  const { file, writer } = copier;
  const dict = wholeDictOfPage(file, page);
  const view = viewOf(file, dict, page.rotate);
  const own = file.dict(dict.get('Group'));
  const blended = own === undefined ? (group ? '<</S/Transparency>>' : undefined) : valueText(own, copier);
  const entries = new Map<string, string>([
    ['Type', '/XObject'],
    ['Subtype', '/Form'],
    ['FormType', '1'],
    ['BBox', `[${operands(shownArea(file, dict))}]`],
    ['Matrix', `[${operands(uprightOf(view))}]`],
    ['Resources', await resources(dict)],
    ...(blended === undefined ? [] : [['Group', blended] as const]),
  ]);
  const { width, height } = view;
  const streams = contentsOf(file, dict).filter((item): item is Ref => item instanceof Ref && file.has(item.num));
  const [only] = streams;
  if (only !== undefined && streams.length === 1 && file.scanObject(only.num)?.isStream === true) {
    const num = writer.allocate();
    await copyAs(copier, only.num, entries, num);
    return { num, width, height };
  }
  const pieces: Uint8Array[] = [];
  let left = CAP;
  for (const { num } of streams) {
    const found = file.streamBytes(num, left);
    if (found === undefined)
      throw new Failure('unprocessable', `${file.name}: the content of a page cannot be decoded`);
    pieces.push(found.bytes, Buffer.from('\n'));
    left -= found.bytes.length;
  }
  const text = [...entries].map(([key, value]) => `/${key} ${value}`).join('');
  return { num: writeStream(writer, text, Buffer.concat(pieces)), width, height };
}

/** The stream once more, under another number and with these entries. */
async function copyAs(copier: Copier, num: number, entries: NewEntries, fresh: number): Promise<void> {
  if (fresh === DROPPED) throw new TypeError('a form has a number');
  await copier.now(num, entries, fresh);
}
