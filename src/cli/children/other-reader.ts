// Both ends of asking other readers about a file: the hidden command in which they run, and the code that starts it.
import type { Clock, Context, OtherCount, OtherReader, RandomAccess } from '../../contract/base/ports.ts';
import type { SecondReading } from '../../pdf/file/repair/pdf-lib-reader.ts';
import type { ReadAnswer, ReadRequest } from '../../runtime/processes/other-reader.ts';
import type { RunOwn } from '../line/call.ts';

/** For a Context: starts this program again as `__read` for each question. Nothing is loaded before. */
export function otherReaders(
  clock: Clock,
  signal: AbortSignal,
): Required<Pick<Context, 'countElsewhere' | 'rewriteElsewhere'>> {
  const parts = async () => {
    const [{ readInChild }, { ownCommand }] = await Promise.all([
      import('../../runtime/processes/other-reader.ts'),
      import('../../runtime/processes/child.ts'),
    ]);
    return { readInChild, command: [...ownCommand(), '__read'] };
  };
  return {
    async countElsewhere(reader, file, password) {
      const { readInChild, command } = await parts();
      const answer = await readInChild(command, { reader, password, wanted: 'count' }, file, clock, signal);
      return 'bytes' in answer ? UNREADABLE : answer;
    },
    async rewriteElsewhere(reader, file, password) {
      const { readInChild, command } = await parts();
      const answer = await readInChild(command, { reader, password, wanted: 'rewrite' }, file, clock, signal);
      return 'bytes' in answer ? answer.bytes : undefined;
    },
  };
}

export const read: RunOwn = async () => {
  const { openAsker } = await import('../../runtime/processes/channel.ts');
  const asked = openAsker('__read', 'Use pdftool info FILE.');
  const file = asked.file('the file');
  const answer = async ({ reader, password, wanted }: ReadRequest): Promise<ReadAnswer> => {
    const { pages, write } = await READERS[reader](file, password, asked.gone);
    return wanted === 'count' ? { pages } : { bytes: await write() };
  };
  // Sent by readInChild of the same program. Readers of other makers throw anything for a damaged file.
  await asked.serve((request) => answer(request as ReadRequest).catch(() => UNREADABLE));
  return 0;
};

type Read = (file: RandomAccess, password: string | undefined, signal: AbortSignal) => Promise<SecondReading>;

const READERS: Readonly<Record<OtherReader, Read>> = {
  async 'pdf-lib'(file, password) {
    const { readByPdfLib } = await import('../../pdf/file/repair/pdf-lib-reader.ts');
    return readByPdfLib(file, password);
  },
  /** pdf.js believes the count in the root of the page tree, unless there is no last page of that number. */
  async 'pdf.js'(file, password, signal) {
    const { openDocument } = await import('../../pdf/text/pdfjs/pdfjs.ts');
    const { document } = await openDocument(file, signal, { password });
    const write = async () => {
      const bytes = await document.extractPages([{ document: null }]);
      if (bytes === null) throw new Error('pdf.js wrote nothing');
      return bytes;
    };
    return { pages: document.numPages, write };
  },
  async PDFium(file, password) {
    const [{ Pdfium }, { packageFile }] = await Promise.all([
      import('../../pdf/render/pdfium.ts'),
      import('../../runtime/folders/package-files.ts'),
    ]);
    const document = (await Pdfium.load(await packageFile('@embedpdf/pdfium/pdfium.wasm'))).open(file, password);
    return { pages: document.pageCount, write: async () => document.save() };
  },
};

/** Our own reader reports what is wrong with the file; messages of other readers may quote its content. */
const UNREADABLE: OtherCount = { why: 'cannot read it' };
