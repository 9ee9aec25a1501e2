/** Both ends of the thread in which pdf.js reads: the hidden command that runs in it, and the code that starts it. */
import { Failure } from '../../contract/base/failure.ts';
import type { Thread } from '../../contract/base/ports.ts';
import type { RunOwn } from '../line/call.ts';

/** For a Context. Nothing is loaded before a page is left to pdf.js. */
export async function startReader(): Promise<Thread> {
  const { ownScript, startThread } = await import('../../runtime/processes/thread.ts');
  return startThread(ownScript('__pdfjs'), {});
}

export const readerThread: RunOwn = async () => {
  const { openThreadParent } = await import('../../runtime/processes/thread.ts');
  const parent = openThreadParent();
  if (parent === undefined) {
    throw new Failure('usage', '__pdfjs is for pdftool itself', { hint: 'Use pdftool extract-text FILE.' });
  }
  const { serveReader } = await import('../../pdf/text/pdfjs/pdfjs-thread.ts');
  try {
    await serveReader(parent);
  } catch {
    // pdf.js cannot be loaded: the asking thread finds that too, and reports it once.
    return 24;
  }
  // The asking thread ends this one.
  await new Promise<never>(() => {});
  return 0;
};
