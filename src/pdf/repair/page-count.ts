// Pages found in a damaged file are not our word alone: readers that share no code with ours count them too, each in a
// process that can be ended (cli/other-reader.ts). pdf-lib may take minutes; pdf.js rejects promises that nobody holds.
import { Failure } from '../../contract/failure.ts';
import type { ByteSource, Context, OtherCount, OtherReader, RandomAccess } from '../../contract/ports.ts';
import { type PdfFile, WRONG_LENGTH } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';

/**
 * In the order they are asked. Of 117 damaged files of the corpora pdf-lib finds as many pages as we do in 96, pdf.js in 88,
 * one of them in 112, and of the other five none has an answer in four. PDFium: 94, for 4.6 MB more.
 */
const READERS: readonly OtherReader[] = ['pdf-lib', 'pdf.js'];

/** Milliseconds for all the asking of a call; after that nobody is asked any more. */
const PATIENCE = 6_000;

/** Bytes of two files that are compared at a time. */
const STEP = 256 * 1024;

/** A file that was opened, and what was opened. */
interface Opened extends Pick<Source, 'file' | 'tree'> {
  readonly input: ByteSource;
}

/**
 * Asks where anything was repaired, or the root of the page tree says another number; whole files cost nothing. Returns a
 * warning where nobody had an answer.
 * @throws Failure of kind `damaged` where others have one and none of them is ours.
 */
export async function confirmPages(all: readonly Opened[], ctx: Context): Promise<string[]> {
  const { countElsewhere, clock } = ctx;
  const doubtful = all.filter(isDoubtful);
  if (countElsewhere === undefined || doubtful.length === 0) return [];
  const until = clock.now() + PATIENCE;
  const warnings: string[] = [];
  const asked: PdfFile[] = [];
  for (const found of doubtful) {
    if (asked.some((other) => isSame(other, found.file))) continue;
    asked.push(found.file);
    const ask = async (reader: OtherReader): Promise<OtherCount> =>
      clock.now() < until
        ? countElsewhere(reader, found.input, found.file.password)
        : { why: 'was not asked: others took too long' };
    warnings.push(...(await confirm(found, ask, ctx)));
  }
  return warnings;
}

/** A stream whose end was searched for leaves no doubt of pages that are as many as the file says, where it says. */
function isDoubtful({ file, tree }: Opened): boolean {
  return tree.statedCount !== tree.pages.length || [...file.repairs].some((repair) => repair !== WRONG_LENGTH);
}

/** Whether two inputs are one file that was given twice: what is said of it is said once. */
function isSame(one: PdfFile, other: PdfFile): boolean {
  if (one.name !== other.name || one.size !== other.size || one.password !== other.password) return false;
  const [a, b] = [Buffer.alloc(STEP), Buffer.alloc(STEP)];
  for (let at = 0; at < one.size; at += STEP) {
    const length = one.windows.read(a, at);
    if (other.windows.read(b, at) !== length || a.compare(b, 0, length, 0, length) !== 0) return false;
  }
  return true;
}

async function confirm(
  { file, tree }: Opened,
  ask: (reader: OtherReader) => Promise<OtherCount>,
  { detail, signal }: Context,
): Promise<string[]> {
  const found = tree.pages.length;
  const said = file.promised ?? tree.statedCount;
  const others: string[] = [];
  const fewer = file.repairs.size > 0 && said >= 0 && said < found;
  let agreed = false;
  const silent: string[] = [];
  for (const reader of READERS) {
    const count = await ask(reader);
    signal.throwIfAborted();
    const words = 'why' in count ? count.why : `finds ${pages(count.pages)}`;
    detail(`${file.name}: ${reader} ${words}`);
    if ('pages' in count && count.pages === found) {
      // A damaged file whose root says fewer pages than can be found: one reader more than ours is not enough.
      if (!fewer || agreed) return [];
      agreed = true;
      continue;
    }
    // There are pages: who finds none has not understood the file. pdf.js alone believes a root that says too few.
    const believed = !agreed && others.length === 0 && reader === 'pdf.js' && said < found ? said : 0;
    if ('pages' in count && count.pages > 0 && count.pages !== believed) others.push(`${reader} ${words}`);
    else silent.push(`${reader} ${words}`);
  }
  // The root of the file itself is a voice too, as long as it is the file's own.
  const itself = file.promised === found;
  if (others.length > 0 && itself) {
    return [`${file.name}: ${pages(found)} found in it, as many as it says; ${others.join('; ')}`];
  }
  if (others.length === 0) {
    if (agreed) return [];
    if (file.guessed) {
      const why = `${pages(found)} found in it outside of any page tree, and nobody else finds them`;
      throw disagreement(file.name, why);
    }
    return [`${file.name}: nobody else could say whether it has ${pages(found)} (${silent.join('; ')})`];
  }
  throw disagreement(file.name, `${pages(found)} found in it; ${others.join('; ')}`);
}

function disagreement(name: string, what: string): Failure {
  return new Failure('unprocessable', `${name} is damaged: ${what}`, {
    kind: 'damaged',
    hint: 'Write it anew with the program it came from, then try again.',
  });
}

/** In that process: how many pages a reader finds. Throws where it cannot read the file. */
export function countBy(
  reader: OtherReader,
  file: RandomAccess,
  password: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  return reader === 'pdf-lib' ? countByPdfLib(file, password) : countByPdfJs(file, password, signal);
}

/** It counts leaves, those alone that say they are a /Page. */
async function countByPdfLib(file: RandomAccess, password: string | undefined): Promise<number> {
  const { ParseSpeeds, PDFDocument } = await import('pdf-lib');
  const bytes = new Uint8Array(file.size);
  const got = file.read(bytes, 0);
  const options = { parseSpeed: ParseSpeeds.Fastest, updateMetadata: false, password: password ?? '' };
  const document = await PDFDocument.load(bytes.subarray(0, got), options);
  return document.getPageCount();
}

/** It believes what the root says, unless there is no last page by that number. */
async function countByPdfJs(file: RandomAccess, password: string | undefined, signal: AbortSignal): Promise<number> {
  const { openDocument } = await import('../text/pdfjs/pdfjs.ts');
  const { document, close } = await openDocument(file, signal, password);
  const pages = document.numPages;
  await close();
  return pages;
}

function pages(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}
