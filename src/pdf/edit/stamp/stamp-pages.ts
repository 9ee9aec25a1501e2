// Puts text, a picture or a page over or under the pages of a document.

import { Failure } from '../../../contract/base/failure.ts';
import type { Draft, RandomAccess } from '../../../contract/base/ports.ts';
import type { Colour } from '../../content/colour.ts';
import { decimal, operands } from '../../content/operands.ts';
import { surrounded } from '../../content/surrounded.ts';
import { withoutPages } from '../../file/copy/assemble.ts';
import { Copier } from '../../file/copy/copier.ts';
import { type NewEntries, type ObjectChange, UNCHANGED } from '../../file/copy/new-entries.ts';
import { type Append, rewrite } from '../../file/copy/rewrite.ts';
import { archivePart, claimsOf, hasOutputIntent } from '../../file/read/claims.ts';
import type { Pace } from '../../file/read/pace.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { profileFacts } from '../../images/colour-profile.ts';
import { place } from '../../images/place.ts';
import { inflateProfile } from '../../images/png-object.ts';
import { PictureReader } from '../../images/read-picture.ts';
import { PictureWriter } from '../../images/write-picture.ts';
import { inTurn, inverse, scaling } from '../../page/geometry.ts';
import { uprightOf, viewOf } from '../../page/view.ts';
import { valueText } from '../../structure/input.ts';
import { Dict, Name } from '../../syntax/values.ts';
import { WATCHED } from '../../syntax/watched-names.ts';
import type { PageFont } from '../fonts/page-font.ts';
import { PageForms } from '../page-form.ts';
import { type Added, PageResources } from '../page-resources.ts';
import { type PaperSize, placeOn, type Spot } from './place.ts';

export type Mark =
  /** `texts`: by page, from 1. */
  | { readonly kind: 'text'; readonly texts: ReadonlyMap<number, string>; readonly style: TextStyle }
  | { readonly kind: 'picture'; readonly source: RandomAccess; readonly scale: number; readonly signal: AbortSignal }
  /** `numbers`: which page of the source goes on each page, both from 1. */
  | {
      readonly kind: 'page';
      readonly source: Source;
      readonly numbers: ReadonlyMap<number, number>;
      readonly scale: number;
    };

interface StampOptions extends Spot {
  readonly mark: Mark;
  /** Pages that are stamped, from 1. */
  readonly pages: ReadonlySet<number>;
  /** 0 to 1. */
  readonly opacity: number;
  readonly under: boolean;
  readonly append?: Append | undefined;
}

interface Drawing extends PaperSize {
  readonly resource: number;
  /** Operators that draw it with its bottom left corner at the origin, by resource names; by default in RGB. */
  draw(name: string, colourSpace?: string): string;
}

/** Writes a document with a mark on some of its pages into an unfinished draft. `id`: for /ID, in hexadecimal. */
export async function stampPages(
  source: Source,
  draft: Draft,
  id: string,
  pace: Pace,
  options: StampOptions,
  progress: (done: number) => void,
): Promise<void> {
  let painter: Painter | undefined;
  let number = 0;
  const shared: Added[] = [];
  const claims = claimsOf(source.file);
  const resources = new Map<number, PageResources>();
  const category = options.mark.kind === 'text' ? 'Font' : 'XObject';
  const change = (page: Page, copier: Copier): NewEntries | Promise<NewEntries> => {
    number += 1;
    progress(number - 1);
    const drawing = options.pages.has(number) ? painter?.(number) : undefined;
    return drawing === undefined ? UNCHANGED : stamped(page, copier, drawing);
  };
  // Screen readers skip an artifact; PDF/UA still requires a language for its text.
  const artifact = claims.some(({ standard }) => standard === 'PDF/UA')
    ? '/Artifact<</Lang(und)>>BDC'
    : '/Artifact BMC';
  const stamped = async (page: Page, copier: Copier, drawing: Drawing): Promise<NewEntries> => {
    const { file } = source;
    const dict = wholeDictOfPage(file, page);
    const view = viewOf(file, dict, page.rotate);
    const mark: Added = { category, name: 'Stamp', num: drawing.resource };
    const merger = resources.get(drawing.resource) ?? new PageResources(copier, [mark, ...shared]);
    resources.set(drawing.resource, merger);
    const merged = await merger.of(page, dict);
    const [name = '', ...others] = merged.names;
    const named = (category: Added['category']) => others[shared.findIndex((one) => one.category === category)];
    const [state, space] = [named('ExtGState'), named('ColorSpace')];
    const matrix = inTurn(placeOn(view, drawing, options), inverse(uprightOf(view)));
    const opaque = state === undefined ? '' : `/${state} gs `;
    const operators = `${artifact} q ${opaque}${operands(matrix)} cm\n${drawing.draw(name, space)}\nQ EMC`;
    const contents = surrounded(copier, dict, options.under ? { before: operators } : { after: operators });
    return new Map([
      ...Object.entries({ Contents: contents, Resources: merged.text }),
      ...(options.mark.kind === 'text' && options.opacity === 1 ? UNCHANGED : groupOf(file, dict, copier)),
    ]);
  };
  const prepare = async (copier: Copier): Promise<void> => {
    const share = async (category: Added['category'], name: string, value: string): Promise<void> => {
      const num = copier.writer.allocate();
      shared.push({ category, name, num });
      await copier.writer.object(num, value);
    };
    const alpha = decimal(options.opacity);
    if (options.opacity < 1) await share('ExtGState', 'StampOpacity', `<</Type/ExtGState/ca ${alpha}/CA ${alpha}>>`);
    // PDF/A allows device colours only with an output intent for the device.
    if (claims.length > 0 && options.mark.kind === 'text') await share('ColorSpace', 'StampColours', SRGB);
    painter = await painterOf(options, copier, pace, claims.length > 0 ? CALIBRATED : {});
  };
  await rewrite(source, draft, id, pace, change, prepare, { append: options.append });
}

/** sRGB as a CalRGB space (IEC 61966-2-1), and its grey: PDF/A allows them without a profile. */
export const SRGB =
  '[/CalRGB<</WhitePoint[.9505 1 1.089]/Gamma[2.2 2.2 2.2]/Matrix[.4124 .2126 .0193 .3576 .7152 .1192 .1805 .0722 .9505]>>]';
const CALIBRATED = { DeviceRGB: SRGB, DeviceGray: '[/CalGray<</WhitePoint[.9505 1 1.089]/Gamma 2.2>>]' };

/** Why a picture would break the document's claim of PDF/A; undefined where it does not. */
export function whyNotPicture({ file }: Source, picture: RandomAccess): string | undefined {
  const part = archivePart(file);
  if (part === undefined) return undefined;
  const decoded = new PictureReader().read(picture).picture;
  const isPng = decoded.kind === 'png';
  if (part === '1' && isPng && (decoded.colors.endsWith('alpha') || decoded.transparency !== undefined))
    return 'PDF/A-1 has no transparency';
  if (part === '1' && isPng && decoded.depth === 16) return 'PDF/A-1 has no pictures of 16 bits';
  const icc = isPng ? decoded.icc && inflateProfile(decoded.icc) : decoded.icc;
  if (icc === undefined) return isPng || decoded.components < 4 ? undefined : 'the picture has colours of a printer';
  const { kind, version } = profileFacts(icc) ?? { kind: '', version: 0 };
  const isFit = /^(?:scnr|mntr|prtr|spac)$/.test(kind) && version < (part === '1' ? 3 : 5);
  return isFit ? undefined : `the colour profile of the picture is none that PDF/A-${part} takes`;
}

/** The transparency group of a page: without an output intent it needs a colour space (ISO 19005-2, 6.2.10). */
function groupOf(file: PdfFile, page: Dict, copier: Copier): NewEntries {
  const group = file.dict(page.get('Group')) ?? new Dict([['S', new Name('Transparency')]]);
  const part = archivePart(file);
  // Part 1 has no transparency, and nothing transparent was added.
  if (part === undefined || part === '1' || hasOutputIntent(file) || group.has('CS')) return UNCHANGED;
  return new Map([['Group', `${valueText(group, copier).slice(0, -2)}/CS${SRGB}>>`]]);
}

type Painter = (page: number) => Drawing | undefined;

/** Writes what the pages share. `devices`: replacements of device colours in pictures. */
async function painterOf(
  { mark, position, opacity, pages }: StampOptions,
  copier: Copier,
  pace: Pace,
  devices: Readonly<Record<string, string>>,
): Promise<Painter> {
  if (mark.kind === 'page') return pagePainter(mark, pages, opacity, copier, pace);
  if (mark.kind === 'text') {
    const { texts, style } = mark;
    const align = position.endsWith('left') ? 0 : position.endsWith('right') ? 1 : 0.5;
    // The font collects the characters first: it is written with all of them.
    for (const page of pages) textBlock(texts.get(page) ?? '', style, align);
    const resource = await style.font.write(copier.writer, archivePart(copier.file) === '1');
    return (page) => ({ ...textBlock(texts.get(page) ?? '', style, align), resource });
  }
  const read = new PictureReader().read(mark.source);
  const { page, matrix } = place(read.picture, { size: 'fit', margin: 0, dpi: undefined });
  const resource = await new PictureWriter(copier.writer, devices).write(read, mark.source, mark.signal);
  const [width, height] = [page[0] * mark.scale, page[1] * mark.scale];
  const drawn = operands(inTurn(matrix, scaling(mark.scale)));
  return () => ({ width, height, resource, draw: (name) => `${drawn} cm /${name} Do` });
}

/** Keys of tags would lead forms to those of another document. */
const UNTAGGED: ObjectChange = {
  names: WATCHED.StructParent,
  change: (_, { isDict }) => (isDict ? WITHOUT_KEYS : undefined),
};
const WITHOUT_KEYS: NewEntries = new Map(Object.entries({ StructParent: undefined, StructParents: undefined }));

async function pagePainter(
  { source, numbers, scale }: Extract<Mark, { kind: 'page' }>,
  pages: ReadonlySet<number>,
  opacity: number,
  copier: Copier,
  pace: Pace,
): Promise<Painter> {
  const other = new Copier(source.file, copier.writer, withoutPages(source));
  other.change = UNTAGGED;
  const writer = new PageForms(other);
  const forms = new Map<number, Drawing>();
  for (const page of pages) {
    const number = numbers.get(page);
    if (number === undefined || forms.has(number)) continue;
    const target = source.tree.pages[number - 1];
    if (target === undefined) {
      const message = `${source.file.name} has ${source.tree.pages.length} pages; there is no page ${number}`;
      throw new Failure('usage', message);
    }
    const { num, width, height } = await writer.write(target, opacity < 1);
    const draw = (name: string): string => `${decimal(scale)} 0 0 ${decimal(scale)} 0 0 cm /${name} Do`;
    forms.set(number, { width: width * scale, height: height * scale, resource: num, draw });
    if (pace.isOver()) await pace.yield();
  }
  await other.drain(pace);
  return (page) => forms.get(numbers.get(page) ?? 0);
}

interface TextStyle {
  readonly font: PageFont;
  readonly size: number;
  readonly colour: Colour;
}

/** From one baseline to the next, in ems. */
const LEADING = 1.2;

/** Lines of text one below the other; `align`: 0 left, 1 right. */
function textBlock(text: string, { font, size, colour }: TextStyle, align: number): Omit<Drawing, 'resource'> {
  const lines = text.split(/\r\n|\r|\n/).map((line) => ({
    shown: font.show(line),
    width: (font.width(line) * size) / 1000,
  }));
  const width = Math.max(1, ...lines.map((line) => line.width));
  const height = ((font.ascent - font.descent) * size) / 1000 + (lines.length - 1) * LEADING * size;
  return {
    width,
    height,
    draw(name, space) {
      const rows = lines.map((line, i) => {
        const y = height - (font.ascent * size) / 1000 - i * LEADING * size;
        return `1 0 0 1 ${operands([align * (width - line.width), y])} Tm ${line.shown} Tj`;
      });
      const paint = space === undefined ? `${operands(colour)} rg` : `/${space} cs ${operands(colour)} sc`;
      return `BT /${name} ${decimal(size)} Tf ${paint}\n${rows.join('\n')}\nET`;
    },
  };
}
