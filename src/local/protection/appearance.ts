// Draws a visible signature: who signed and when, with an optional image beside it.
import { Failure } from '../../contract/base/failure.ts';
import type { RandomAccess } from '../../contract/base/ports.ts';
import { type FontFile, fontFor } from '../../pdf/edit/fonts/font-choice.ts';
import type { PageFont } from '../../pdf/edit/fonts/page-font.ts';
import { SRGB } from '../../pdf/edit/stamp/stamp-pages.ts';
import { archivePart, claimsOf } from '../../pdf/file/read/claims.ts';
import { wholeDictOfPage } from '../../pdf/file/read/page-dict.ts';
import { readPages } from '../../pdf/file/read/page-tree.ts';
import type { PdfFile } from '../../pdf/file/read/pdf-file.ts';
import type { Update } from '../../pdf/file/write/update.ts';
import { PictureReader } from '../../pdf/images/read-picture.ts';
import { PictureWriter } from '../../pdf/images/write-picture.ts';
import { boundsOf, inverse, quadOf, turning } from '../../pdf/page/geometry.ts';
import { viewOf } from '../../pdf/page/view.ts';
import type { SignatureAppearance } from '../../pdf/sign/append.ts';

const WIDTH = 220;
const HEIGHT = 60;
const MARGIN = 36;
const SIZE = 9;
const LEADING = 12;

interface Look {
  readonly page: number;
  readonly position: string;
  readonly lines: readonly string[];
  readonly image: RandomAccess | undefined;
  readonly signal: AbortSignal;
  readonly fontFile: FontFile | undefined;
}

/** The appearance in a corner of a page, upright as the page is displayed. */
export function signatureAppearance(file: PdfFile, look: Look): SignatureAppearance {
  const page = readPages(file).pages[look.page - 1];
  if (page === undefined) throw new Failure('usage', `${file.name} has no page ${look.page}`);
  const { width, height, transform } = viewOf(file, wholeDictOfPage(file, page), page.rotate);
  const wide = Math.min(WIDTH, width);
  const high = Math.min(HEIGHT, height);
  const [left, top] = [
    /left/.test(look.position) ? MARGIN : /right/.test(look.position) ? width - wide - MARGIN : (width - wide) / 2,
    /top/.test(look.position) ? MARGIN : /bottom/.test(look.position) ? height - high - MARGIN : (height - high) / 2,
  ].map((side) => Math.max(0, side)) as [number, number]; // two of two
  const shown = { x0: left, y0: top, x1: left + wide, y1: top + high };
  const { x0, y0, x1, y1 } = boundsOf(quadOf(shown, inverse(transform)));
  return {
    page: look.page,
    rect: [x0, y0, x1, y1],
    write: (update) => writeForm(file, update, look, page.rotate),
  };
}

async function writeForm(
  file: PdfFile,
  update: Update,
  { lines, image, signal, fontFile }: Look,
  rotate: number,
): Promise<number> {
  const isClaimed = claimsOf(file).length > 0;
  const font = await fontOf(lines.join(''), fontFile, isClaimed);
  const picture = image === undefined ? undefined : await placePicture(update, image, signal);
  const left = picture === undefined ? 4 : Math.min(WIDTH / 2, HEIGHT * picture.ratio) + 8;
  const shown = lines.map((line) => {
    const known = [...line].map((letter) => (font.covers(letter) ? letter : '?')).join('');
    const fits = Math.min(1, (WIDTH - left - 4) / ((font.width(known) * SIZE) / 1000 || 1));
    return `${fits < 1 ? `${Math.round(fits * 100)} Tz` : '100 Tz'} ${font.show(known)} Tj T*`;
  });
  const fontNum = await font.write(update, archivePart(file) === '1');
  const top = (HEIGHT + lines.length * LEADING) / 2 - SIZE;
  // PDF/A allows device colours only where the document declares the device.
  const [colour, spaces] = isClaimed ? ['/C1 cs 0 0 0 sc ', `/ColorSpace<</C1 ${SRGB}>>`] : ['', ''];
  const text = `BT ${colour}/F1 ${SIZE} Tf ${LEADING} TL ${left} ${top} Td ${shown.join(' ')} ET`;
  const drawn = picture === undefined ? '' : `q ${matrixFor(picture.ratio)} cm /I1 Do Q `;
  const resources = `/Font<</F1 ${fontNum} 0 R>>${spaces}${picture === undefined ? '' : `/XObject<</I1 ${picture.num} 0 R>>`}`;
  const num = update.allocate();
  const matrix = turning(rotate)
    .map((side) => Math.round(side))
    .join(' ');
  const dict = `/Type/XObject/Subtype/Form/BBox[0 0 ${WIDTH} ${HEIGHT}]/Matrix[${matrix}]/Resources<<${resources}>>`;
  update.stream(num, dict, [Buffer.from(`${drawn}${text}\n`, 'latin1')]);
  return num;
}

/** Helvetica, or a substitute where the name has other letters or the document must embed its fonts. */
async function fontOf(text: string, fontFile: FontFile | undefined, isClaimed: boolean): Promise<PageFont> {
  try {
    return await fontFor(text, 'Helvetica', fontFile, isClaimed);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // No font here has all letters of the name: missing ones appear as question marks.
    return fontFor('', 'Helvetica', fontFile, true);
  }
}

/** The matrix that fits a picture of this aspect ratio into the left half. */
function matrixFor(ratio: number): string {
  const width = Math.min(WIDTH / 2, HEIGHT * ratio);
  const height = width / ratio;
  return `${width.toFixed(2)} 0 0 ${height.toFixed(2)} 2 ${((HEIGHT - height) / 2).toFixed(2)}`;
}

async function placePicture(update: Update, source: RandomAccess, signal: AbortSignal) {
  const picture = new PictureReader().read(source);
  const num = await new PictureWriter(update).write(picture, source, signal);
  return { num, ratio: picture.picture.width / picture.picture.height };
}
