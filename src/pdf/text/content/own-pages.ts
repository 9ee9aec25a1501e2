// Reading pages with our own reader: their content, resources and links. What it does not know it says, and the page
// is left to pdf.js, which is slower and loads for a quarter of a second.

import { Walk } from '../../content/walk.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { type Font, readFont } from '../../fonts/font-reader.ts';
import { Unknown } from '../../fonts/unknown.ts';
import { pageContent } from '../../page/contents.ts';
import { multiply } from '../../page/geometry.ts';
import { viewOf } from '../../page/view.ts';
import { Damage } from '../../syntax/damage.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { ContentReader } from './content-reader.ts';
import { Drawing } from './drawing.ts';
import { markLinks } from './links.ts';
import { MOST_OPERATORS } from './operators.ts';
import type { PageContent } from './page-content.ts';
import { type ShownField, shownFields } from './shown-fields.ts';

export class OwnPages {
  private readonly file: PdfFile;
  private readonly walk: Walk;
  private readonly fonts = new Map<number, Font | Unknown>();
  private readonly direct = new WeakMap<Dict, Font>();

  constructor(file: PdfFile) {
    this.file = file;
    this.walk = new Walk(file, 'whole', MOST_OPERATORS);
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

  /** Marks the words of a page that lead to an address, also on pages that pdf.js read. */
  markLinks(page: Page, content: PageContent): void {
    try {
      const dict = wholeDictOfPage(this.file, page);
      markLinks(this.file, dict, viewOf(this.file, dict, page.rotate), content);
    } catch (error) {
      // Damaged links are left out: the words of the page are still good.
      if (!(error instanceof Damage)) throw error;
    }
  }

  private draw(page: Page): PageContent {
    const { file, walk } = this;
    const dict = wholeDictOfPage(file, page);
    const view = viewOf(file, dict, page.rotate);
    const drawing = new Drawing(view.transform, view.width, view.height);
    const reader = this.reader(drawing);
    reader.save();
    walk.begin(reader, view.transform).content(pageContent(file, dict), file.dict(dict.get('Resources')));
    reader.restore();
    this.addFields(page, drawing);
    return drawing.finish();
  }

  private reader(drawing: Drawing): ContentReader {
    return new ContentReader(this.file, drawing, (value) => this.font(value));
  }

  /** Draws what the form fields of a page show. One that cannot be read shows its value. */
  addFields(page: Page, drawing: Drawing): void {
    const { walk } = this;
    const reader = this.reader(drawing);
    walk.begin(reader, drawing.state.ctm);
    for (const { rect, appearance, lines } of this.fieldsOf(page)) {
      const depth = drawing.depth;
      drawing.beginField();
      try {
        if (appearance === undefined) drawing.field(lines, rect);
        else reader.draw(walk.part(appearance.form), walk, multiply(appearance.matrix, walk.matrix));
      } catch (error) {
        if (!(error instanceof Unknown || error instanceof Damage)) throw error;
        while (drawing.depth > depth) reader.restore();
        if (lines.length > 0) drawing.field(lines, rect);
      }
    }
  }

  private fieldsOf(page: Page): ShownField[] {
    try {
      return shownFields(this.file, wholeDictOfPage(this.file, page));
    } catch (error) {
      // Damaged form fields are left out: the text of the page is still good.
      if (!(error instanceof Damage)) throw error;
      return [];
    }
  }

  private directFont(dict: Dict): Font {
    const font = this.direct.get(dict) ?? readFont(this.file, dict);
    this.direct.set(dict, font);
    return font;
  }

  private font(value: Value | undefined): Font | undefined {
    const { file, fonts } = this;
    if (!(value instanceof Ref)) {
      if (value instanceof Dict) return this.directFont(value);
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
}
