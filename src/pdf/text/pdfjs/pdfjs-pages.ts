import { Failure } from '../../../contract/base/failure.ts';
import type { Context, RandomAccess } from '../../../contract/base/ports.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { PLAIN } from '../../file/read/xref-table.ts';
import { MOST_CONTENT } from '../../page/contents.ts';
import { Damage } from '../../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import type { Drawing } from '../content/drawing.ts';
import type { PageContent } from '../content/page-content.ts';
import { type Faces, readPage } from '../content/page-reader.ts';
import { needsParts, PART, partFrom } from './parts.ts';
import { type OpenDocument, openDocument } from './pdfjs.ts';

/** pdf.js keeps what it parsed; a clean-up every so many pages bounds memory and costs reading fonts again. */
const PAGES_BETWEEN_CLEANUPS = 100;

interface Opened {
  readonly open: OpenDocument;
  /** Pages before its first one, and behind its last one. */
  readonly from: number;
  readonly to: number;
}

export class PdfjsPages {
  private readonly disk: RandomAccess;
  private readonly source: Source;
  private readonly ctx: Context;
  private readonly faces: Faces = new Map();
  private opened: Opened | undefined;
  private inParts: boolean;
  private read = 0;

  constructor(disk: RandomAccess, source: Source, ctx: Context) {
    this.disk = disk;
    this.source = source;
    this.ctx = ctx;
    this.inParts = needsParts(source);
  }

  /** A page, from 1; pages are asked for in rising order. `addFields` draws what its form fields show. */
  async page(number: number, addFields?: (drawing: Drawing) => void): Promise<PageContent> {
    const { open, from } = await this.holding(number - 1);
    try {
      const page = await open.bounded(open.document.getPage(number - from));
      const content = await open.bounded(readPage(page, this.faces, addFields));
      page.cleanup();
      if (++this.read % PAGES_BETWEEN_CLEANUPS === 0) {
        await open.bounded(open.document.cleanup());
        this.faces.clear();
      }
      return content;
    } catch (cause) {
      this.ctx.signal.throwIfAborted();
      throw pageFailure(this.disk.name, number, this.source.tree.pages.length, cause);
    }
  }

  async close(): Promise<void> {
    const { opened } = this;
    this.opened = undefined;
    this.faces.clear();
    // Its pages are read: an error of pdf.js while it cleans up changes nothing.
    await opened?.open.close().catch(() => undefined);
  }

  private async holding(index: number): Promise<Opened> {
    if (this.opened !== undefined && index < this.opened.to) return this.opened;
    if (this.opened === undefined) refuseBombs(this.source.file);
    await this.close();
    const { pages } = this.source.tree;
    const whole = this.inParts ? undefined : await this.whole(pages.length);
    this.inParts = whole === undefined;
    const part =
      whole ??
      (await openDocument(await partFrom(this.source, this.ctx, index), this.ctx.signal, {
        startReader: this.ctx.startReader,
      }));
    const from = whole === undefined ? index : 0;
    this.opened = { open: part, from, to: whole === undefined ? Math.min(pages.length, index + PART) : pages.length };
    return this.opened;
  }

  /** The document as it is; undefined where pdf.js cannot open it or counts other pages than there are. */
  private async whole(counted: number): Promise<OpenDocument | undefined> {
    const { ctx } = this;
    const open = await openDocument(this.disk, ctx.signal, { startReader: ctx.startReader }).catch(
      (failure: unknown) => {
        ctx.signal.throwIfAborted();
        if (!(failure instanceof Failure)) throw failure;
        ctx.detail(`${failure.message}; reading a sound copy of it`);
        return undefined;
      },
    );
    if (open === undefined || open.document.numPages === counted) return open;
    // As in `close`.
    await open.close().catch(() => undefined);
    return undefined;
  }
}

function pageFailure(name: string, number: number, total: number, cause: unknown): unknown {
  if (cause instanceof Failure || cause instanceof TypeError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Failure('unprocessable', `${name}: page ${number} of ${total} cannot be read: ${message}`, {
    kind: 'damaged',
    hint: 'Write the file anew with the program it came from, then try again.',
    cause,
  });
}

/** Deflate makes at most 1,032 bytes of one: a shorter stream stays below the cap, unless it is deflated twice. */
const SUSPECT = MOST_CONTENT / 1_032;

/** @throws Failure of kind `limit` where a stream holds too much. Images are skipped: they are not decoded. */
function refuseBombs(file: PdfFile): void {
  const { xref } = file;
  const plain: { num: number; place: number }[] = [];
  for (const [num, place] of xref.place.subarray(0, xref.size).entries())
    if (xref.kind[num] === PLAIN) plain.push({ num, place });
  plain.sort((a, b) => a.place - b.place);
  for (const [i, { num, place }] of plain.entries()) {
    const extent = (plain[i + 1]?.place ?? file.size) - place;
    try {
      const dict = file.object(num);
      if (!(dict instanceof Dict) || !dict.has('Filter') || dict.name('Subtype') === 'Image') continue;
      if (extent < SUSPECT && !deflatedTwice(file, dict.get('Filter'))) continue;
      file.streamBytes(num, MOST_CONTENT);
    } catch (error) {
      // A damaged stream is reported where its page is read; here it has nothing to inflate.
      if (!(error instanceof Damage)) throw error;
    }
  }
}

function deflatedTwice(file: PdfFile, filter: Value | undefined): boolean {
  const value = filter instanceof Ref ? file.resolve(filter) : filter;
  return (
    Array.isArray(value) &&
    value.filter((name) => name instanceof Name && /^(Fl|LZW|RL|Run)/.test(name.value)).length > 1
  );
}
