// Crops pages (ISO 32000-1, 14.11.2). What is cut off is hidden, and still in the file.

import { operands } from '../../content/operands.ts';
import type { NewEntries } from '../../file/copy/new-entries.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { boundsOf, inverse, quadOf, type Rect } from '../../page/geometry.ts';
import { uprightOf, viewOf } from '../../page/view.ts';

/** New entries of a page that shows this part of itself, in points from its displayed bottom left. */
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
