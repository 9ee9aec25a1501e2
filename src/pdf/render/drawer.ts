// Opens a document for drawing. Where PDFium refuses it or counts other pages than we do, it gets a repaired copy, so
// that page 7 is the same page everywhere.
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, PageDrawer } from '../../contract/base/ports.ts';
import { documentId } from '../file/copy/assemble.ts';
import { UNCHANGED } from '../file/copy/new-entries.ts';
import { type PageChange, rewrite } from '../file/copy/rewrite.ts';
import { Pace } from '../file/read/pace.ts';
import type { Source } from '../file/read/source.ts';
import { damagedBy } from '../syntax/damage.ts';

/** `input`: the bytes of `source`. `change`: applied to the pages before they are drawn. The caller closes `source`. */
export async function openDrawer(
  source: Source,
  input: ByteSource,
  ctx: Context,
  change?: PageChange,
): Promise<PageDrawer> {
  const { file, tree } = source;
  const { drawPages } = ctx;
  if (drawPages === undefined) throw new Failure('unavailable', 'nothing can draw pages here');
  const { name } = file;
  if (change === undefined && file.repairs.size === 0 && tree.wellFormed) {
    const drawer = await drawPages(input, { name, password: file.password }).catch((error: unknown) => {
      ctx.signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      ctx.detail(`${error.message}; drawing a sound copy of it`);
      return undefined;
    });
    if (drawer?.pageCount === tree.pages.length) return drawer;
    drawer?.close();
  }
  const draft = ctx.temp.create('sound-copy.pdf');
  const copy = await damagedBy(name, async () => {
    await rewrite(source, draft, documentId([source], 'draw'), new Pace(ctx), change ?? (() => UNCHANGED));
    return draft.finish();
  });
  const drawer = await drawPages(copy, { name, password: undefined });
  const close = () => {
    drawer.close();
    draft.discard();
  };
  if (drawer.pageCount === tree.pages.length)
    return {
      close,
      pageCount: drawer.pageCount,
      size: (page) => drawer.size(page),
      draw: (drawing) => drawer.draw(drawing),
      picture: (drawing, format) => drawer.picture(drawing, format),
      pictures: (page) => drawer.pictures(page),
      takePicture: (page, index) => drawer.takePicture(page, index),
    };
  close();
  throw new Failure('unprocessable', `${name} is damaged: its pages cannot be drawn`, {
    kind: 'damaged',
    hint: 'Write it anew with the program it came from, then try again.',
  });
}
