// In a process that can be ended (cli/children/other-reader.ts): pages as readers find them that share no code with ours, and
// files as they write them anew. pdf-lib may take minutes; pdf.js rejects promises that nobody holds.
import type { OtherReader, RandomAccess } from '../../contract/ports.ts';
import { fill } from '../on-disk.ts';

/** A file in the hands of another reader. */
interface Read {
  readonly pages: number;
  /** All of it that the reader can read, as a sound file. */
  write(): Promise<Uint8Array>;
}

export interface ReadBy {
  readonly reader: OtherReader;
  readonly file: RandomAccess;
  readonly password: string | undefined;
  readonly signal: AbortSignal;
  /** The bytes of PDFium's WebAssembly. */
  readonly wasm: () => Promise<Uint8Array>;
}

/** How many pages a reader finds. Throws where it cannot read the file. */
export async function countBy(asked: ReadBy): Promise<number> {
  return (await READERS[asked.reader](asked)).pages;
}

/** The file as a reader writes it. Throws where it cannot. */
export async function rewriteBy(asked: ReadBy): Promise<Uint8Array> {
  return (await READERS[asked.reader](asked)).write();
}

const READERS: Readonly<Record<OtherReader, (asked: ReadBy) => Promise<Read>>> = {
  /** It counts leaves, those alone that say they are a /Page. */
  async 'pdf-lib'({ file, password }) {
    const { ParseSpeeds, PDFDocument } = await import('pdf-lib');
    const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false, password: password ?? '' };
    const document = await PDFDocument.load(wholeOf(file), options);
    return {
      pages: document.getPageCount(),
      write: () => document.save({ addDefaultPage: false, updateFieldAppearances: false }),
    };
  },
  /** It believes what the root says, unless there is no last page by that number. */
  async 'pdf.js'({ file, password, signal }) {
    const { openDocument } = await import('../text/pdfjs/pdfjs.ts');
    const { document } = await openDocument(file, signal, { password });
    return { pages: document.numPages, write: async () => given(await document.extractPages([{ document: null }])) };
  },
  async PDFium({ file, password, wasm }) {
    const { Pdfium } = await import('../render/pdfium.ts');
    const document = (await Pdfium.load(await wasm())).open(file, password);
    return { pages: document.pageCount, write: async () => document.save() };
  },
};

function wholeOf(file: RandomAccess): Uint8Array {
  const bytes = new Uint8Array(file.size);
  return bytes.subarray(0, fill(file, bytes, 0));
}

function given(bytes: Uint8Array | null): Uint8Array {
  if (bytes === null) throw new Error('it wrote nothing');
  return bytes;
}
