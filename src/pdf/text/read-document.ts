// Owns going through the pages of a document one by one, so that memory holds one page at a time. Knows nothing of output.
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, RandomAccess } from '../../contract/ports.ts';
import { documentInfo } from './document-info.ts';
import type { PageContent } from './page-content.ts';
import { type Faces, readPage } from './page-reader.ts';
import { needsParts, openText, partsOf } from './parts.ts';
import { type OpenDocument, openDocument } from './pdfjs.ts';

/** pdf.js keeps what it parsed; letting go of it every so many pages bounds memory and costs fonts being read again. */
const PAGES_BETWEEN_CLEANUPS = 200;

export interface DocumentText {
  readonly info: Readonly<Record<string, string | null>>;
  readonly pageCount: number;
}

/**
 * Hands every page in order to `visit` and closes the document again, whatever happens.
 * pdf.js believes the page count that a file states; where our own reader counts otherwise, it is given sound copies.
 */
export async function readDocument(
  source: ByteSource,
  ctx: Context,
  visit: (content: PageContent, number: number) => void,
  { links = false } = {},
): Promise<DocumentText> {
  const opened = await openText(source, ctx);
  const counted = opened.tree.pages.length;
  const whole = needsParts(opened) ? undefined : await openWhole(source, ctx, counted);
  if (whole !== undefined) {
    try {
      const info = await documentInfo(whole);
      await visitPages(whole, source, ctx, visit, 0, counted, links);
      return { info, pageCount: counted };
    } finally {
      await whole.close().catch(() => undefined);
    }
  }
  let info: DocumentText['info'] = {};
  let done = 0;
  for await (const part of partsOf(opened, ctx)) {
    const open = await openDocument(part, ctx.signal);
    try {
      if (done === 0) info = await documentInfo(open);
      await visitPages(open, source, ctx, visit, done, counted, links);
      done += open.document.numPages;
    } finally {
      await open.close().catch(() => undefined);
    }
  }
  return { info, pageCount: done };
}

/** The document as it is; undefined where pdf.js cannot open it or counts other pages than there are. */
async function openWhole(source: ByteSource, ctx: Context, counted: number): Promise<OpenDocument | undefined> {
  const open = await openDocument(randomAccess(source), ctx.signal).catch((failure: unknown) => {
    ctx.signal.throwIfAborted();
    if (!(failure instanceof Failure)) throw failure;
    ctx.detail(`${failure.message}; reading a sound copy of it`);
    return undefined;
  });
  if (open === undefined || open.document.numPages === counted) return open;
  await open.close().catch(() => undefined);
  return undefined;
}

async function visitPages(
  open: OpenDocument,
  source: ByteSource,
  ctx: Context,
  visit: (content: PageContent, number: number) => void,
  before: number,
  total: number,
  links: boolean,
): Promise<void> {
  const { document } = open;
  const faces: Faces = new Map();
  for (let number = 1; number <= document.numPages; number++) {
    ctx.signal.throwIfAborted();
    ctx.progress({ phase: 'read', done: before + number - 1, total, unit: 'pages' });
    try {
      const page = await document.getPage(number);
      visit(await open.bounded(readPage(page, faces, links)), before + number);
      page.cleanup();
    } catch (cause) {
      ctx.signal.throwIfAborted();
      throw pageFailure(source, before + number, total, cause);
    }
    if (number % PAGES_BETWEEN_CLEANUPS === 0) {
      await document.cleanup();
      faces.clear();
    }
  }
  ctx.progress({ phase: 'read', done: before + document.numPages, total, unit: 'pages' });
}

function pageFailure(source: ByteSource, number: number, total: number, cause: unknown): unknown {
  if (cause instanceof Failure || cause instanceof TypeError) return cause;
  const said = cause instanceof Error ? cause.message : String(cause);
  return new Failure('unprocessable', `${source.name}: page ${number} of ${total} cannot be read: ${said}`, {
    kind: 'damaged',
    hint: 'Write the file anew with the program it came from, then try again.',
    cause,
  });
}

/** The local engine is given files on disk; standard input is put on disk before. */
function randomAccess(source: ByteSource): RandomAccess {
  const { size, read } = source;
  if (size === undefined || read === undefined) throw new TypeError(`${source.name} cannot be read at any place`);
  return { name: source.name, size, read: read.bind(source), open: (signal) => source.open(signal) };
}
