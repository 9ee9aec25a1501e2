// Hidden commands with which pdftool starts its own processes and threads.
import type { OwnCommand } from '../line/grammar.ts';

function internal(name: string, summary: string, load: OwnCommand['load'], ...words: readonly string[]): OwnCommand {
  return {
    name,
    summary,
    hidden: true,
    build: (command, leaf) => leaf(words.reduce((it, word) => it.argument(word), command)),
    load,
  };
}

export const INTERNAL: readonly OwnCommand[] = [
  internal('__worker', 'Work on files of a batch', async () => (await import('../run/batch-worker.ts')).runBatchWorker),
  internal('__read', 'Read a file with another reader', async () => (await import('../children/other-reader.ts')).read),
  internal(
    '__pdfjs',
    'Read pages with pdf.js',
    async () => (await import('../children/reader-thread.ts')).readerThread,
  ),
  internal('__codec', 'Decode and encode images', async () => (await import('../children/codec.ts')).codec),
  internal('__draw', 'Draw pages of a file', async () => (await import('../children/page-drawer.ts')).draw),
  internal(
    '__judge',
    'Read documents with other readers',
    async () => (await import('../children/other-eyes.ts')).judgeProcess,
  ),
  internal(
    '__recognise',
    'Recognise the words of a picture',
    async () => (await import('../children/recognise.ts')).recognise,
    '<languages>',
    '<dpi>',
  ),
];
