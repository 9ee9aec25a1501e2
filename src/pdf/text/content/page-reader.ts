import type { OperatorList, Page } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { faceOf, type PlacedFace } from '../../fonts/faces.ts';
import { asMatrix, IDENTITY, type Matrix } from '../../page/geometry.ts';
import { Drawing } from './drawing.ts';
import { colourOf } from './fill-colour.ts';
import { OP } from './operators.ts';
import type { PageContent } from './page-content.ts';

/** The faces of a document, so that a font is the same object on every page. */
export type Faces = Map<string, PlacedFace>;

/** Reads a page in one pass over its operators. `addFields` draws what its form fields show. */
export async function readPage(
  page: Page,
  faces: Faces,
  addFields: (drawing: Drawing) => void = () => {},
): Promise<PageContent> {
  const view = page.getViewport({ scale: 1 });
  const list = await page.getOperatorList({ annotationMode: 0 });
  const drawing = new Drawing(asMatrix(view.transform) ?? IDENTITY, view.width, view.height);
  drawing.save();
  drawAll(list, drawing, (id) => {
    let face = faces.get(id);
    if (face === undefined) {
      face = faceOf(page.commonObjs.has(id) ? page.commonObjs.get(id) : null);
      faces.set(id, face);
    }
    return face;
  });
  while (drawing.depth > 0) drawing.restore();
  addFields(drawing);
  return drawing.finish();
}

function drawAll({ fnArray, argsArray }: OperatorList, to: Drawing, faceNamed: (id: string) => PlacedFace): void {
  const { state } = to;
  const setFont = (id: unknown, size: unknown) => to.setFont(faceNamed(String(id)), Number(size));
  for (let i = 0; i < fnArray.length; i++) {
    // Each operator's arguments are fixed by pdf.js (display/canvas.js of the pinned version).
    const args = (argsArray[i] ?? []) as readonly [never, never];
    switch (fnArray[i]) {
      case OP.showText:
        to.show(args[0] ?? []);
        break;
      case OP.moveText:
        to.moveText(args[0], args[1]);
        break;
      case OP.setLeadingMoveText:
        state.leading = args[1];
        to.moveText(args[0], args[1]);
        break;
      case OP.nextLine:
        to.nextLine();
        break;
      case OP.setTextMatrix:
        to.setTextMatrix(args[0]);
        break;
      case OP.beginText:
        to.setTextMatrix();
        break;
      case OP.setFont:
        setFont(args[0], args[1]);
        break;
      case OP.setGState:
        for (const [key, value] of (args[0] ?? []) as readonly [string, readonly unknown[]][]) {
          if (key === 'Font') setFont(value[0], value[1]);
        }
        break;
      case OP.setCharSpacing:
        state.charSpacing = args[0];
        break;
      case OP.setWordSpacing:
        state.wordSpacing = args[0];
        break;
      case OP.setHScale:
        state.scale = args[0] / 100;
        break;
      case OP.setLeading:
        state.leading = -args[0];
        break;
      case OP.setTextRise:
        state.rise = args[0];
        break;
      case OP.setFillRGBColor:
        state.fill = colourOf(String(args[0]));
        break;
      case OP.save:
        to.save();
        break;
      case OP.restore:
      case OP.paintFormXObjectEnd:
        to.restore();
        break;
      case OP.transform:
        to.transform(args as unknown as Matrix);
        break;
      case OP.paintFormXObjectBegin:
        to.save(args[0] ?? undefined);
        break;
      case OP.beginMarkedContent:
        to.openMark(String(args[0]));
        break;
      case OP.beginMarkedContentProps:
        to.openMark(String(args[0]), typeof args[1] === 'number' ? args[1] : undefined);
        break;
      case OP.endMarkedContent:
        to.closeMark();
        break;
      case OP.constructPath:
        to.path(args[0], args[1]?.[0]);
        break;
    }
  }
}
