// Reading pages with our own reader: their content, resources and links. What it does not know it says, and the page
// is left to pdf.js, which is slower and loads for a quarter of a second.

import { dictOfPage } from '../../read/page-dict.ts';
import type { Page } from '../../read/page-tree.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import { type Font, readFont } from '../fonts/font-reader.ts';
import { markLinks } from '../layout/links.ts';
import { viewOf } from '../page-view.ts';
import { Unknown } from '../unknown.ts';
import { type Budget, type Form, type Resources, runContent } from './content-reader.ts';
import { Drawing } from './drawing.ts';
import type { PageContent } from './page-content.ts';

/** More than the content of any page, in bytes: 20 times the largest of 3,000 real documents. */
const CAP = 96 << 20;
/** Forms are drawn again and again; so many bytes of them are kept. */
const KEPT = 4 << 20;
const INKS = new Set(['Separation', 'DeviceN', 'DeviceCMYK']);

export class OwnPages {
  private readonly file: PdfFile;
  private readonly fonts = new Map<number, Font | Unknown>();
  private readonly forms = new Map<number, Form | undefined>();
  private kept = 0;

  constructor(file: PdfFile) {
    this.file = file;
  }

  /** The page; or why it must be left to another reader. */
  read(page: Page): PageContent | string {
    try {
      return this.draw(page);
    } catch (error) {
      if (error instanceof Unknown || error instanceof Damage) return error.message;
      throw error;
    }
  }

  /** Marks the words of a page, whoever read it, that lead to an address. */
  markLinks(page: Page, content: PageContent): void {
    try {
      const dict = this.dictOf(page);
      markLinks(this.file, dict, viewOf(this.file, dict, page.rotate), content);
    } catch (error) {
      // Words are worth more than where they lead to.
      if (!(error instanceof Damage)) throw error;
    }
  }

  private draw(page: Page): PageContent {
    const { file } = this;
    const dict = this.dictOf(page);
    const view = viewOf(file, dict, page.rotate);
    const drawing = new Drawing(view.transform, view.width, view.height);
    const budget: Budget = { operators: 0, name: file.name };
    runContent(this.contentOf(dict), this.resources(file.dict(dict.get('Resources'))), drawing, budget);
    return drawing.finish();
  }

  /** A page's dictionary with what it inherits. */
  private dictOf(page: Page): Dict {
    const dict = dictOfPage(this.file, page) ?? new Dict();
    for (const [key, bytes] of Object.entries(page.inherited)) {
      if (!dict.has(key)) dict.set(key, new Parser(bytes).value());
    }
    return dict;
  }

  private contentOf(page: Dict): Uint8Array {
    const value = page.get('Contents');
    const found = value instanceof Ref ? this.file.resolve(value) : value;
    const refs = Array.isArray(found) ? found : [value];
    const parts = refs.flatMap((ref) => (ref instanceof Ref ? this.bytesOf(ref.num) : []));
    if (parts.length === 1) return parts[0]!;
    const space = Uint8Array.of(0x20);
    return Buffer.concat(parts.flatMap((part) => [part, space]));
  }

  private bytesOf(num: number): Uint8Array[] {
    if (!this.file.has(num)) return [];
    const stream = this.file.streamBytes(num, CAP);
    if (stream === undefined) throw new Unknown('a filter');
    return [stream.bytes];
  }

  private resources(dict: Dict | undefined): Resources {
    const { file } = this;
    const categories = new Map<string, Dict | undefined>();
    const entry = (category: string, name: string): Value | undefined => {
      if (!categories.has(category)) categories.set(category, file.dict(dict?.get(category)));
      return categories.get(category)?.get(name);
    };
    const fonts = new Map<string, Font | undefined>();
    const resources: Resources = {
      font: (name) => {
        if (!fonts.has(name)) fonts.set(name, this.font(entry('Font', name)));
        return fonts.get(name);
      },
      stateFont: (name) => {
        const list = file.resolve(file.dict(entry('ExtGState', name))?.get('Font'));
        if (!Array.isArray(list)) return undefined;
        const [font, size] = [this.font(list[0]), file.resolve(list[1])];
        return font === undefined || typeof size !== 'number' ? undefined : { font, size };
      },
      form: (name) => this.form(entry('XObject', name), resources),
      isInk: (name) => {
        if (INKS.has(name)) return true;
        const space = file.resolve(entry('ColorSpace', name));
        const [kind] = Array.isArray(space) ? space : [space];
        return kind instanceof Name && INKS.has(kind.value);
      },
      markId: (name) => file.dict(entry('Properties', name))?.number('MCID'),
    };
    return resources;
  }

  private font(value: Value | undefined): Font | undefined {
    const { file, fonts } = this;
    if (!(value instanceof Ref)) {
      if (value instanceof Dict) return readFont(file, value);
      throw new Unknown('no font');
    }
    const known = fonts.get(value.num);
    if (known instanceof Unknown) throw known;
    if (known !== undefined) return known;
    try {
      const dict = file.object(value.num);
      if (!(dict instanceof Dict)) throw new Unknown('no font');
      const font = readFont(file, dict);
      fonts.set(value.num, font);
      return font;
    } catch (error) {
      if (error instanceof Unknown) fonts.set(value.num, error);
      throw error;
    }
  }

  private form(value: Value | undefined, around: Resources): Form | undefined {
    if (!(value instanceof Ref)) return undefined;
    const { num } = value;
    if (this.forms.has(num)) return this.forms.get(num);
    const { file } = this;
    const dict = file.object(num);
    if (!(dict instanceof Dict) || dict.name('Subtype') !== 'Form') {
      this.forms.set(num, undefined);
      return undefined;
    }
    const bytes = Buffer.concat(this.bytesOf(num));
    const numbers = file.resolve(dict.get('Matrix'));
    const matrix = Array.isArray(numbers) ? numbers.map((item) => Number(file.resolve(item))) : undefined;
    const own = file.dict(dict.get('Resources'));
    const form = {
      id: num,
      bytes,
      matrix: matrix?.length === 6 && matrix.every(Number.isFinite) ? matrix : undefined,
      resources: own === undefined ? around : this.resources(own),
    };
    if (own === undefined || this.kept + bytes.length > KEPT) return form;
    this.kept += bytes.length;
    this.forms.set(num, form);
    return form;
  }
}
