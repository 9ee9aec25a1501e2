import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { Context, PageDrawer, PageDrawing, Part } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import { EXTENSIONS, JPEG, PNG, WEBP } from '../../contract/media.ts';
import type { CompleteInputOf, ResultOf } from '../../contract/operation.ts';
import type { toImages } from '../../contract/operations/pictures.ts';
import { askedPages, pageNames } from '../../pdf/page/page-names.ts';
import { openDrawer } from '../../pdf/render/drawer.ts';
import { MOST_FILES } from '../frame/names.ts';
import { withSource } from '../frame/with-source.ts';
import { inOrder } from './in-order.ts';

type Input = CompleteInputOf<typeof toImages>;

const TYPES = { png: PNG, jpeg: JPEG, webp: WEBP } as const;
/** One page is stored while the next is drawn. */
const AT_ONCE = 2;
const POINTS = 72;

export function run(input: Input, ctx: Context): Promise<ResultOf<typeof toImages>> {
  const { format, transparent, quality } = input;
  if (transparent && format === 'jpeg') {
    throw new Failure('usage', 'a JPEG cannot be transparent', {
      hint: say`Add ${field('format', 'png')} or ${field('format', 'webp')}.`,
    });
  }
  return withSource(input.file, ctx, async (source, temp) => {
    const { name } = source.file;
    const numbers = askedPages(name, source.tree.pages.length, input.pages);
    if (numbers.length > MOST_FILES) {
      throw new Failure('unprocessable', `${name} would become ${numbers.length} pictures: at most ${MOST_FILES}`, {
        kind: 'limit',
        hint: say`Draw fewer at a time, with ${field('pages')}.`,
      });
    }
    const names = pageNames(numbers, source.tree.pages.length, EXTENSIONS[TYPES[format]]?.[0] ?? format);
    using drawer = closing(await openDrawer(source, input.file, { ...ctx, temp }));
    const draw = async (page: number): Promise<Uint8Array> => {
      const { dpi, ...drawing } = await drawingOf(input, page, drawer);
      return drawer.picture(drawing, { type: format, quality, dpi });
    };
    const parts: Part[] = [];
    const tell = () => ctx.progress({ phase: 'draw', done: parts.length, total: numbers.length, unit: 'pages' });
    tell();
    for await (const [, bytes] of inOrder(numbers, AT_ONCE, draw)) {
      const partName = names[parts.length] ?? '';
      const draft = temp.create(partName);
      draft.write(bytes);
      parts.push({ name: partName, body: draft.finish() });
      if (parts.length < numbers.length) tell();
    }
    return { kind: 'parts', parts };
  });
}

/** The size of the drawing of a page in pixels, and its resolution. */
async function drawingOf(
  { dpi, width, height, grayscale, transparent }: Input,
  page: number,
  drawer: PageDrawer,
): Promise<PageDrawing & { dpi: number }> {
  const size = await drawer.size(page);
  const colours = transparent ? 'rgba' : grayscale ? 'gray' : 'rgb';
  const whole = (pixels: number) => Math.max(1, Math.round(pixels));
  if (width === undefined && height === undefined) {
    const scale = dpi / POINTS;
    // A fraction of a pixel is rounded up, as poppler does, but a rounding error is not.
    const pixels = (side: number) => Math.max(1, Math.ceil(side * scale - 0.01));
    return { page, width: pixels(size.width), height: pixels(size.height), scale, colours, dpi };
  }
  const scale = Math.min(
    (width ?? Number.POSITIVE_INFINITY) / size.width,
    (height ?? Number.POSITIVE_INFINITY) / size.height,
  );
  return { page, width: whole(size.width * scale), height: whole(size.height * scale), colours, dpi: scale * POINTS };
}
