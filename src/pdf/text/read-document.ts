// Owns going through the pages of a document one by one, so that memory holds one page at a time. Knows nothing of output.
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, RandomAccess } from '../../contract/ports.ts';
import type { PageContent } from './page-content.ts';
import { type Faces, readPage } from './page-reader.ts';
import { type OpenDocument, openDocument } from './pdfjs.ts';

/** pdf.js keeps what it parsed; letting go of it every so many pages bounds memory and costs fonts being read again. */
const PAGES_BETWEEN_CLEANUPS = 200;

/** Opens `source`, hands it to `work` and closes it again, whatever happens. */
export async function withDocument<T>(
  source: ByteSource,
  ctx: Context,
  work: (open: OpenDocument) => Promise<T>,
): Promise<T> {
  const open = await openDocument(randomAccess(source), ctx.signal);
  try {
    return await work(open);
  } catch (cause) {
    ctx.signal.throwIfAborted();
    if (cause instanceof Failure) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('unprocessable', `${source.name} cannot be read: ${said}`, { kind: 'damaged', cause });
  } finally {
    await open.close().catch(() => undefined);
  }
}

/** The pages in order, each read when it is asked for. */
export async function* pagesOf(
  { document }: OpenDocument,
  source: ByteSource,
  ctx: Context,
): AsyncGenerator<{ number: number; content: PageContent }> {
  const faces: Faces = new Map();
  const total = document.numPages;
  for (let number = 1; number <= total; number++) {
    ctx.signal.throwIfAborted();
    ctx.progress({ phase: 'read', done: number - 1, total, unit: 'pages' });
    const page = await document.getPage(number).catch((cause: unknown) => {
      const said = cause instanceof Error ? cause.message : String(cause);
      throw new Failure('unprocessable', `${source.name}: page ${number} of ${total} cannot be read: ${said}`, {
        kind: 'damaged',
        cause,
      });
    });
    const content = await readPage(page, faces);
    page.cleanup();
    yield { number, content };
    if (number % PAGES_BETWEEN_CLEANUPS === 0) {
      await document.cleanup();
      faces.clear();
    }
  }
  ctx.progress({ phase: 'read', done: total, total, unit: 'pages' });
}

/** The local engine is given files on disk; standard input is put on disk before. */
function randomAccess(source: ByteSource): RandomAccess {
  const { size, read } = source;
  if (size === undefined || read === undefined) throw new TypeError(`${source.name} cannot be read at any place`);
  return { name: source.name, size, read: read.bind(source), open: (signal) => source.open(signal) };
}
