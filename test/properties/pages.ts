import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  decodePDFRawStream,
  ParseSpeeds,
  PDFArray,
  PDFDocument,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFStream,
} from 'pdf-lib';

/** One page as another reader sees it; pages that are equal here draw the same operators on the same paper. */
export interface Page {
  /** SHA-256 of the decoded content streams. */
  readonly content: string;
  readonly mediaBox: string;
  readonly cropBox: string;
  /** 0, 90, 180 or 270. */
  readonly rotation: number;
  /** Names of the page's own keys, without those that may be inherited or moved. */
  readonly keys: string;
  readonly text: string;
}

/** Keys that a page may have itself or get from its parents, or that name its place in the tree. */
const PLACED = new Set(['/Parent', '/Rotate', '/MediaBox', '/CropBox', '/Resources', '/Type']);

export async function pagesOf(bytes: Uint8Array): Promise<Page[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
  const texts = textsOf(bytes);
  return pdf.getPages().map((page, i) => ({
    content: contentOf(page),
    mediaBox: Object.values(page.getMediaBox()).join(' '),
    cropBox: Object.values(page.getCropBox()).join(' '),
    rotation: ((page.getRotation().angle % 360) + 360) % 360,
    keys: keysOf(page),
    text: texts[i] ?? '',
  }));
}

/** The keys of a page that stay when it moves alone into another file: what points at other pages may go. */
export function withoutLinks(pages: readonly Page[]): readonly Omit<Page, 'keys'>[] {
  return pages.map(({ keys: _, ...page }) => page);
}

function contentOf(page: PDFPage): string {
  const hash = createHash('sha256');
  const contents = page.node.Contents();
  const streams = contents instanceof PDFArray ? contents.asArray() : contents === undefined ? [] : [contents];
  for (const each of streams) hash.update(trimmed(decoded(page.node.context.lookup(each)))).update('\n');
  return hash.digest('hex');
}

/** pdf-lib looks for `endstream` where /Length is a reference, and then drops a line end that belongs to the data. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && [0x0a, 0x0d, 0x20].includes(bytes[end - 1] ?? 0)) end -= 1;
  return bytes.subarray(0, end);
}

function decoded(stream: PDFObject | undefined): Uint8Array {
  if (stream instanceof PDFRawStream) return decodePDFRawStream(stream).decode();
  return stream instanceof PDFStream ? stream.getContents() : new Uint8Array();
}

function keysOf(page: PDFPage): string {
  const names = page.node.keys().map((key) => key.toString());
  return names
    .filter((name) => !PLACED.has(name))
    .toSorted()
    .join(' ');
}

/** Text per page, as Poppler reads it: it differs where a font or a form got lost. */
function textsOf(bytes: Uint8Array): string[] {
  const out = execFileSync('pdftotext', ['-', '-'], { input: bytes, stdio: ['pipe', 'pipe', 'ignore'] });
  return out.toString('utf8').split('\f').slice(0, -1);
}
