import type { PdfFile } from '../read/pdf-file.ts';
import { pageSpace } from '../redact/page-space.ts';
import type { Dict } from '../syntax/values.ts';

/** Left, bottom, right, top. */
export type Area = readonly [number, number, number, number];

/** What is shown of a page, in its own coordinates. `page`: with what it inherits. */
export function shownArea(file: PdfFile, page: Dict): Area {
  const { shown } = pageSpace(file, page, 0);
  return [shown.x0, shown.y0, shown.x1, shown.y1];
}
