// Text, a picture or a page, put over the pages of a document or under them.
import { Failure } from '../../../contract/failure.ts';
import type { Draft, RandomAccess } from '../../../contract/ports.ts';
import { withoutPages } from '../../copy/assemble.ts';
import { Copier } from '../../copy/copier.ts';
import type { NewEntries } from '../../copy/new-entries.ts';
import { rewrite } from '../../copy/rewrite.ts';
import { place } from '../../images/place.ts';
import { PictureReader } from '../../images/read-picture.ts';
import { PictureWriter } from '../../images/write-picture.ts';
import type { Pace } from '../../pace.ts';
import { wholeDictOfPage } from '../../read/page-dict.ts';
import type { Page } from '../../read/page-tree.ts';
import type { Source } from '../../read/source.ts';
import { viewOf } from '../../text/page-view.ts';
import { decimal, inTurn, inverse, operands, scaling, uprightOf } from '../matrix.ts';
import { surrounded } from '../page-content.ts';
import { PageForms } from '../page-form.ts';
import { type Added, PageResources } from '../page-resources.ts';
import { placeOn, type Size, type Spot } from './place.ts';
import { type TextStyle, textBlock } from './text-block.ts';

/** What is put on pages. */
export type Mark =
  /** `texts`: of each page, from 1. */
  | { readonly kind: 'text'; readonly texts: ReadonlyMap<number, string>; readonly style: TextStyle }
  | { readonly kind: 'picture'; readonly source: RandomAccess; readonly scale: number; readonly signal: AbortSignal }
  /** `numbers`: which page of the source goes on each page, both from 1. */
  | {
      readonly kind: 'page';
      readonly source: Source;
      readonly numbers: ReadonlyMap<number, number>;
      readonly scale: number;
    };

export interface StampWish extends Spot {
  readonly mark: Mark;
  /** Pages that are stamped, from 1. */
  readonly pages: ReadonlySet<number>;
  /** 0 to 1. */
  readonly opacity: number;
  readonly under: boolean;
}

/** What is drawn on one page: its size, and operators for it at the origin, given the names of the resources. */
interface Drawing extends Size {
  readonly resource: number;
  draw(name: string): string;
}

/** A document with a mark on some of its pages, in a draft that is not finished. `id`: for /ID, in hexadecimal. */
export async function stampPages(
  source: Source,
  draft: Draft,
  id: string,
  pace: Pace,
  wish: StampWish,
  progress: (done: number) => void,
): Promise<void> {
  let painter: Painter | undefined;
  let number = 0;
  let opacity: number | undefined;
  const resources = new Map<number, PageResources>();
  const change = (page: Page, copier: Copier): NewEntries | Promise<NewEntries> => {
    number += 1;
    progress(number - 1);
    const drawing = wish.pages.has(number) ? painter?.(number) : undefined;
    return drawing === undefined ? NOTHING : stamped(page, copier, drawing);
  };
  const stamped = async (page: Page, copier: Copier, drawing: Drawing): Promise<NewEntries> => {
    const { file } = source;
    const dict = wholeDictOfPage(file, page);
    const view = viewOf(file, dict, page.rotate);
    const merger = resources.get(drawing.resource) ?? new PageResources(copier, addedOf(wish, drawing, opacity));
    resources.set(drawing.resource, merger);
    const merged = await merger.of(page, dict);
    const [name = '', state] = merged.names;
    const matrix = inTurn(placeOn(view, drawing, wish), inverse(uprightOf(view)));
    const opaque = state === undefined ? '' : `/${state} gs `;
    // An artifact: what reads documents aloud passes over it.
    const operators = `/Artifact BMC q ${opaque}${operands(matrix)} cm\n${drawing.draw(name)}\nQ EMC`;
    const contents = surrounded(copier, dict, wish.under ? { before: operators } : { after: operators });
    return new Map([
      ['Contents', contents],
      ['Resources', merged.text],
    ]);
  };
  await rewrite(source, draft, id, pace, change, async (copier) => {
    if (wish.opacity < 1) {
      const { writer } = copier;
      opacity = writer.allocate();
      const alpha = decimal(wish.opacity);
      await writer.object(opacity, `<</Type/ExtGState/ca ${alpha}/CA ${alpha}>>`);
    }
    painter = await painterOf(wish, copier, pace);
  });
}

const NOTHING: NewEntries = new Map();

function addedOf({ mark }: StampWish, { resource }: Drawing, opacity: number | undefined): Added[] {
  const category = mark.kind === 'text' ? 'Font' : 'XObject';
  const state: Added[] = opacity === undefined ? [] : [{ category: 'ExtGState', name: 'StampOpacity', num: opacity }];
  return [{ category, name: 'Stamp', num: resource }, ...state];
}

/** What is drawn on the page of a number; undefined where nothing is. */
type Painter = (page: number) => Drawing | undefined;

/** Writes what the pages share. */
async function painterOf({ mark, position, opacity, pages }: StampWish, copier: Copier, pace: Pace): Promise<Painter> {
  switch (mark.kind) {
    case 'text': {
      const { texts, style } = mark;
      const align = position.endsWith('left') ? 0 : position.endsWith('right') ? 1 : 0.5;
      // The font keeps what is asked for: it is written with all of it.
      for (const page of pages) textBlock(texts.get(page) ?? '', style, align);
      const resource = await style.font.write(copier.writer);
      return (page) => {
        const block = textBlock(texts.get(page) ?? '', style, align);
        return { ...block, resource };
      };
    }
    case 'picture': {
      const found = new PictureReader().read(mark.source);
      const { page, matrix } = place(found.picture, { size: 'fit', margin: 0, dpi: undefined });
      const resource = await new PictureWriter(copier.writer).write(found, mark.source, mark.signal);
      const [width, height] = [page[0] * mark.scale, page[1] * mark.scale];
      const drawn = operands(inTurn(matrix, scaling(mark.scale)));
      return () => ({ width, height, resource, draw: (name) => `${drawn} cm /${name} Do` });
    }
    case 'page':
      return pagePainter(mark, pages, opacity, copier, pace);
  }
}

async function pagePainter(
  { source, numbers, scale }: Extract<Mark, { kind: 'page' }>,
  pages: ReadonlySet<number>,
  opacity: number,
  copier: Copier,
  pace: Pace,
): Promise<Painter> {
  const other = new Copier(source.file, copier.writer, withoutPages(source));
  const writer = new PageForms(other);
  const forms = new Map<number, Drawing>();
  for (const page of pages) {
    const number = numbers.get(page);
    if (number === undefined || forms.has(number)) continue;
    const found = source.tree.pages[number - 1];
    if (found === undefined) {
      throw new Failure(
        'usage',
        `${source.file.name} has ${source.tree.pages.length} pages; there is no page ${number}`,
      );
    }
    const { num, width, height } = await writer.write(found, opacity < 1);
    const draw = (name: string): string => `${decimal(scale)} 0 0 ${decimal(scale)} 0 0 cm /${name} Do`;
    forms.set(number, { width: width * scale, height: height * scale, resource: num, draw });
    if (pace.isOver()) await pace.yield();
  }
  await other.drain(pace);
  return (page) => forms.get(numbers.get(page) ?? 0);
}
