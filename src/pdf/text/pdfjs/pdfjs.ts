import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { Failure } from '../../../contract/base/failure.ts';
import type { Context, RandomAccess } from '../../../contract/base/ports.ts';
import { fill } from '../../file/read/random-access.ts';
import { MOST_OPERATORS } from '../content/operators.ts';
import { type Library, loadLibrary, loadWorkerHalf } from './pdfjs-load.ts';
import { connectedPorts, type Port } from './pdfjs-port.ts';
import { portTo } from './pdfjs-thread.ts';

/** Bytes; larger documents are read in pieces as pdf.js asks for them. */
const WHOLE_IN_MEMORY = 32 * 1024 * 1024;
const PIECE = 1024 * 1024;

export interface OpenDocument {
  readonly document: PDFDocumentProxy;
  readonly operators: Readonly<Record<string, number>>;
  /** Waits for the work on one page; rejects when the page has too many operators, for then pdf.js never ends. */
  bounded<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a PDF to read its text. @throws Failure `password`, or `unprocessable` where pdf.js cannot read it. */
export async function openDocument(
  source: RandomAccess,
  signal: AbortSignal,
  {
    password,
    startReader,
  }: {
    readonly password?: string | undefined;
    readonly startReader?: Context['startReader'] | undefined;
  } = {},
): Promise<OpenDocument> {
  if (source.size === 0) {
    throw new Failure('unprocessable', `${source.name} is empty: expected a PDF, found 0 bytes`, { kind: 'empty' });
  }
  const [{ library, folder }, thread] = await Promise.all([loadLibrary(), startReader?.()]);
  signal.throwIfAborted();
  const closed = new AbortController();
  const overrun = overrunOf(source, signal, thread?.ended, closed.signal);
  const mine = thread === undefined ? await portBeside(overrun.reach) : portTo(thread, overrun.reach);
  const half = new library.PDFWorker({ port: mine as never, verbosity: 0 }); // declared as if there were none
  const task = library.getDocument({
    ...input(library, source),
    ...(password === undefined ? {} : { password }),
    worker: half,
    verbosity: 0,
    ownerDocument: { fonts: { add() {}, delete() {} } },
    // Glyph outlines would be built for every character otherwise; nothing draws them.
    disableFontFace: false,
    fontExtraProperties: true,
    useSystemFonts: false,
    isEvalSupported: false,
    // No image is decoded: up to 2.2 times the time of a page.
    maxImageSize: 1,
    cMapUrl: `${folder}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}standard_fonts/`,
    wasmUrl: `${folder}wasm/`,
    useWorkerFetch: false,
  });
  const close = async () => {
    closed.abort();
    // A busy thread would not answer a request to end.
    if (thread !== undefined) await thread.kill();
    // Nothing reads the document any more: an error of pdf.js while it cleans up changes nothing.
    const destroyed = task.destroy().catch(() => undefined);
    if (thread === undefined) await destroyed;
    half.destroy();
  };
  try {
    return {
      document: await overrun.bounded(opened(task, signal)),
      operators: library.OPS,
      bounded: overrun.bounded,
      close,
    };
  } catch (cause) {
    // The first failure is the one that is reported.
    await close().catch(() => undefined);
    signal.throwIfAborted();
    throw failureOf(source, cause);
  }
}

async function portBeside(overrun: () => void): Promise<Port> {
  const { WorkerMessageHandler } = await loadWorkerHalf();
  const [mine, theirs] = connectedPorts(overrun);
  WorkerMessageHandler.initializeFromPort(theirs);
  return mine;
}

/** `bounded` work ends early for too many operators (`reach`), a cancelled call, and a thread that is gone. */
function overrunOf(
  source: RandomAccess,
  signal: AbortSignal,
  ended: Promise<string> | undefined,
  closed: AbortSignal,
): { bounded: OpenDocument['bounded']; reach: () => void } {
  let giveUp: (reason: unknown) => void = () => {};
  const hint = 'The file may be made to exhaust memory.';
  const limit = (message: string) => new Failure('unprocessable', message, { kind: 'limit', hint });
  signal.addEventListener('abort', () => giveUp(signal.reason), { once: true, signal: closed });
  void ended?.then((why) => giveUp(limit(`${source.name} cannot be read by pdf.js: ${why}`)));
  return {
    reach: () => giveUp(limit(`${source.name} has a page with more than ${MOST_OPERATORS} drawing operators`)),
    // Not a race with one lasting promise: that would keep the result of every page as long as it lasts.
    bounded: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        giveUp = reject;
        work.then(resolve, reject);
      }),
  };
}

async function opened(task: PDFDocumentLoadingTask, signal: AbortSignal): Promise<PDFDocumentProxy> {
  // `task.promise` rejects instead.
  const stop = () => void task.destroy().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await task.promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function input(library: Library, source: RandomAccess): Record<string, unknown> {
  if (source.size <= WHOLE_IN_MEMORY) return { data: readPiece(source, 0, source.size) };
  const range = new library.PDFDataRangeTransport(source.size, null);
  range.requestDataRange = (begin, end) => range.onDataRange(begin, readPiece(source, begin, end));
  return { range, rangeChunkSize: PIECE, disableAutoFetch: true, disableStream: true };
}

function readPiece(source: RandomAccess, begin: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - begin);
  const filled = begin + fill(source, bytes, begin);
  if (filled === end) return bytes;
  throw new Failure('unprocessable', `${source.name} ends at byte ${filled}: expected ${source.size}`, {
    kind: 'truncated',
  });
}

function failureOf(source: RandomAccess, cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  const name = cause instanceof Error ? cause.name : '';
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (name === 'PasswordException') {
    return new Failure('password', `${source.name} is encrypted and needs a password to be read`, {
      kind: 'encrypted',
      hint: 'Remove the password first, for example with: qpdf --decrypt --password=... in.pdf out.pdf',
      cause,
    });
  }
  if (/encrypt|crypt|password/i.test(reason)) {
    return new Failure('unprocessable', `${source.name} is encrypted in a way that cannot be read: ${reason}`, {
      kind: 'unsupported',
      cause,
    });
  }
  const kind = startsAsPdf(source) ? 'damaged' : 'not-pdf';
  const message =
    kind === 'damaged'
      ? `${source.name} is damaged: its pages cannot be found (${reason})`
      : `${source.name} is not a PDF: no %PDF- header in its first 1,024 bytes`;
  return new Failure('unprocessable', message, { kind, cause });
}

/** Whether it has a header, or objects where a header should be. */
function startsAsPdf(source: RandomAccess): boolean {
  const head = new TextDecoder('latin1').decode(readPiece(source, 0, Math.min(source.size, 65_536)));
  return head.slice(0, 1_024).includes('%PDF-') || /\d obj\b|\btrailer\b|startxref/.test(head);
}
