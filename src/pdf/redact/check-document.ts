import type { Source } from '../read/source.ts';
import { PdfString } from '../syntax/values.ts';
import { markInside } from './content/marked-characters.ts';
import { hasContrast, hiddenPlaces, isHidden } from './find/hidden-text.ts';
import { type Character, drawn } from './find/page-probe.ts';
import { countsOf } from './inspect-document.ts';
import type { BuiltPages } from './output/build-document.ts';
import { type Box, type PageSpace, toDisplayed, toUserSpace } from './page-space.ts';
import { openPlainCopy, type Tools } from './plain-copy.ts';
import { isPlain, sizeAt } from './prove/proof.ts';
import { Secrets } from './prove/secrets.ts';
import { olderTexts, sweepFile } from './prove/sweep.ts';
import type { Region } from './regions.ts';

/** One thing that can still be read, and where. `page`: from 1; left out where it is in no page. It never says what is read. */
export interface Leak {
  readonly page?: number;
  readonly what:
    | 'text under a box or a picture'
    | 'text in the colour of what is behind it'
    | 'text in a hidden layer'
    | 'text beside the page'
    | 'text in a region'
    | 'something to be seen in a region'
    | 'a word that was looked for'
    | 'earlier versions of the document';
  readonly count: number;
}

/** What is there beside the pages and says something about the document. */
export interface Note {
  readonly what: string;
  readonly count: number;
}

export interface Check {
  readonly pages: number;
  readonly leaks: readonly Leak[];
  readonly notes: readonly Note[];
}

export interface CheckWish {
  readonly regions: readonly Region[];
  readonly terms: readonly string[];
  /** What was written into the boxes. */
  readonly label: string | undefined;
}

const DPI = 130;

/** Looks for bad redactions: what is on the pages and not seen, and what is in the file and not on the pages. */
export async function checkDocument(
  source: Source,
  { regions, terms, label }: CheckWish,
  tools: Tools,
): Promise<Check> {
  const { tree, file } = source;
  const pages = tree.pages.length;
  const leaks: Leak[] = [];
  const note = (page: number | undefined, what: Leak['what'], count: number) => {
    if (count > 0) leaks.push({ ...(page === undefined ? {} : { page: page + 1 }), what, count });
  };
  let texts: readonly string[] = [];
  const { plain, probe } = await openPlainCopy(source, tools);
  try {
    for (let page = 0; page < pages; page++) {
      tools.progress('look', page, pages);
      await tools.turn();
      const characters = (await probe.characters(page)).filter(
        ({ generated, text }) => !generated && text.trim() !== '',
      );
      const boxes = regions.filter((region) => region.page === page + 1);
      const space = plain.spaces[page]!;
      if (characters.length === 0 && boxes.length === 0) {
        noteHidden(plain, page, note);
        continue;
      }
      const drawing = await drawn(probe, page, sizeAt(space, DPI));
      noteHidden(plain, page, note);
      const places = hiddenPlaces(plain.findings[page]!).filter(({ why }) => why === 'picture' || why === 'area');
      const under = characters.filter(({ box }) => isHidden(box, places));
      note(page, 'text under a box or a picture', under.length);
      const plainSight = characters.filter(
        (each) => !under.includes(each) && isUnseen(each, space, (box) => hasContrast(drawing, box)),
      );
      note(page, 'text in the colour of what is behind it', plainSight.length);
      const rects = boxes.map((box) => toUserSpace(inner(box), space));
      const said = markInside(characters, rects).flatMap(({ inside, text }) => (inside ? [text] : []));
      note(page, 'text in a region', besides(said.join(''), label));
      const most = label === undefined ? undefined : LABELLED;
      note(page, 'something to be seen in a region', boxes.filter((box) => !isPlain(drawing, box, most)).length);
    }
    texts = terms.length > 0 ? await probe.texts() : [];
  } finally {
    probe.close();
  }
  const counts = countsOf(source, plain);
  if (terms.length > 0) {
    const secrets = new Secrets(terms);
    const { pages: found, elsewhere } = sweepFile(file, tree, secrets);
    for (let page = 0; page < pages; page++)
      note(page, 'a word that was looked for', found.has(page) || secrets.isIn(texts[page] ?? '') ? 1 : 0);
    note(undefined, 'a word that was looked for', (elsewhere ? 1 : 0) + (await olderTexts(file, secrets)));
  }
  note(undefined, 'earlier versions of the document', counts.revisions - 1);
  return { pages, leaks, notes: notesOf(source, counts) };
}

function noteHidden(
  plain: BuiltPages,
  page: number,
  note: (page: number, what: Leak['what'], count: number) => void,
): void {
  const { hidden } = plain.findings[page]!;
  note(page, 'text in a hidden layer', hidden.filter(({ why }) => why === 'layer').length);
  note(page, 'text beside the page', hidden.filter(({ why }) => why === 'outside').length);
}

/** Whether there is nothing to be seen where a character is. One that is very small cannot be seen anyhow. */
function isUnseen({ box }: Character, space: PageSpace, sees: (box: Box) => boolean): boolean {
  const shown = toDisplayed({ x0: box.x0 - 0.3, y0: box.y0 - 0.3, x1: box.x1 + 0.3, y1: box.y1 + 0.3 }, space);
  return shown !== undefined && box.x1 - box.x0 > 0.2 && box.y1 - box.y0 > 0.2 && !sees(shown);
}

/** A label takes so much of its box, at most. */
const LABELLED = 0.7;

/** How many characters there are besides a label, which stands whole in each box. */
function besides(said: string, label: string | undefined): number {
  const plain = label?.replace(/\s/g, '') ?? '';
  return plain === '' ? said.length : said.replaceAll(plain, '').length;
}

/** The middle of a region: neighbours may reach over its edge. */
function inner({ x, y, w, h }: Box): Box {
  return { x: x + w * 0.1, y: y + h * 0.15, w: w * 0.8, h: h * 0.7 };
}

function notesOf({ file }: Source, counts: ReturnType<typeof countsOf>): Note[] {
  const info = file.dict(file.xref.trailer.get('Info'));
  const said = [...(info?.values() ?? [])].filter((value) => {
    const text = file.resolve(value);
    return text instanceof PdfString && text.bytes.length > 0;
  }).length;
  const catalog = file.dict(file.xref.trailer.get('Root'));
  const all: Note[] = [
    { what: 'metadata: entries about the document', count: said },
    { what: 'metadata: XMP', count: catalog?.has('Metadata') === true ? 1 : 0 },
    { what: 'attached files', count: counts.attachments },
    { what: 'scripts', count: counts.scripts },
    { what: 'layers', count: counts.layers },
    { what: 'form fields', count: counts.form_fields },
    { what: 'annotations', count: counts.annotations },
    { what: 'bookmarks', count: counts.bookmarks },
  ];
  return all.filter(({ count }) => count > 0);
}
