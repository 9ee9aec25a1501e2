import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { faceOf, type PlacedFace } from '../../fonts/faces.ts';
import { type Glyph, unknownCode } from '../../fonts/font-reader.ts';
import { asMatrix, IDENTITY, type Matrix } from '../../page/geometry.ts';
import { Drawing } from './drawing.ts';
import { packedColour } from './fill-colour.ts';
import { OP } from './operators.ts';
import type { PageContent } from './page-content.ts';

/** The faces of a document: a font is the same object on every page. */
export type Faces = Map<string, PlacedFace>;

/** Reads a page in one pass over pdf.js's operators. `addFields` draws what its form fields show. */
export async function readPage(
  page: PDFPageProxy,
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

type ShownGlyph = Glyph & { readonly originalCharCode: number };

/** Corrects glyphs of codes that the font gives no character: pdf.js takes the code for one. */
function withoutCodes(
  glyphs: readonly (ShownGlyph | number)[],
  { characters }: PlacedFace,
): readonly (ShownGlyph | number)[] {
  if (characters === undefined) return glyphs;
  return glyphs.map((glyph) =>
    typeof glyph === 'number' || characters[glyph.originalCharCode] !== undefined
      ? glyph
      : { ...glyph, unicode: unknownCode(glyph.originalCharCode) },
  );
}

/** An operator's arguments, whose types pdf.js fixes (display/canvas.js of the pinned version). */
type Args = readonly [never, never];
type FaceNamed = (id: string) => PlacedFace;

const ACTIONS: Readonly<Record<number, (to: Drawing, args: Args, faceNamed: FaceNamed) => void>> = {
  [OP.showText]: (to, [glyphs]) => to.show(withoutCodes(glyphs ?? [], to.state.face)),
  [OP.moveText]: (to, [dx, dy]) => to.moveText(dx, dy),
  [OP.setLeadingMoveText]: (to, [dx, dy]) => {
    to.state.leading = dy;
    to.moveText(dx, dy);
  },
  [OP.nextLine]: (to) => to.nextLine(),
  [OP.setTextMatrix]: (to, [matrix]) => to.setTextMatrix(matrix),
  [OP.beginText]: (to) => to.setTextMatrix(),
  [OP.setFont]: (to, [id, size], faceNamed) => to.setFont(faceNamed(String(id)), Number(size)),
  [OP.setGState](to, [entries], faceNamed) {
    for (const [key, value] of (entries ?? []) as readonly [string, readonly unknown[]][])
      if (key === 'Font') to.setFont(faceNamed(String(value[0])), Number(value[1]));
  },
  [OP.setLineWidth]: ({ state }, [width]) => (state.lineWidth = width),
  [OP.setCharSpacing]: ({ state }, [spacing]) => (state.charSpacing = spacing),
  [OP.setWordSpacing]: ({ state }, [spacing]) => (state.wordSpacing = spacing),
  [OP.setHScale]: ({ state }, [scale]) => (state.scale = scale / 100),
  [OP.setLeading]: ({ state }, [leading]) => (state.leading = -leading),
  [OP.setTextRenderingMode]: ({ state }, [mode]) => (state.mode = mode),
  [OP.paintImageXObject]: (to) => to.picture(),
  [OP.paintInlineImageXObject]: (to) => to.picture(),
  [OP.paintImageMaskXObject]: (to) => to.picture(),
  [OP.setTextRise]: ({ state }, [rise]) => (state.rise = rise),
  [OP.setFillRGBColor]: ({ state }, [colour]) => (state.fill = packedColour(String(colour))),
  [OP.save]: (to) => to.save(),
  [OP.restore]: (to) => to.restore(),
  [OP.transform]: (to, args) => to.transform(args as unknown as Matrix),
  [OP.paintFormXObjectBegin]: (to, [matrix]) => to.save(matrix ?? undefined),
  [OP.paintFormXObjectEnd]: (to) => to.restore(),
  [OP.beginMarkedContent]: (to, [tag]) => to.openMark(String(tag)),
  [OP.beginMarkedContentProps]: (to, [tag, id]) => to.openMark(String(tag), typeof id === 'number' ? id : undefined),
  [OP.endMarkedContent]: (to) => to.closeMark(),
  [OP.constructPath]: (to, [operator, data]) => to.path(operator, data?.[0]),
};

type Operators = Awaited<ReturnType<PDFPageProxy['getOperatorList']>>;

function drawAll({ fnArray, argsArray }: Operators, to: Drawing, faceNamed: FaceNamed): void {
  for (const [i, operator] of fnArray.entries()) ACTIONS[operator]?.(to, (argsArray[i] ?? []) as Args, faceNamed);
}
