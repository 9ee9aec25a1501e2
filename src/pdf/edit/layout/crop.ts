// Pages cut to a part of what they show (ISO 32000-1, 14.11.2). What is cut off is hidden, and still in the file.
import type { NewEntries } from '../../copy/new-entries.ts';
import { boundsOf, quadOf, type Rect } from '../../geometry.ts';
import { wholeDictOfPage } from '../../read/page-dict.ts';
import type { Page } from '../../read/page-tree.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import { viewOf } from '../../text/page-view.ts';
import { inverse, operands, uprightOf } from '../matrix.ts';

/** New entries of a page that shows this part of itself: points from its bottom left as it is shown. */
export function cropped(
  file: PdfFile,
  page: Page,
  part: (size: { width: number; height: number }) => Rect,
): NewEntries {
  const dict = wholeDictOfPage(file, page);
  const view = viewOf(file, dict, page.rotate);
  const { x0, y0, x1, y1 } = boundsOf(quadOf(part(view), inverse(uprightOf(view))));
  return new Map([['CropBox', `[${operands([x0, y0, x1, y1])}]`]]);
}
