// Owns opening a PDF: what it looks like when it is none, its header, its table, and whether it asks for a password.
import { Failure, type FailureKind } from '../../contract/failure.ts';
import type { ByteSource, RandomAccess } from '../../contract/ports.ts';
import { Damage } from './damage.ts';
import { PdfFile } from './reader.ts';
import { at, find, latin1, skipSpace } from './syntax.ts';
import { Name } from './values.ts';
import { Windows } from './windows.ts';
import { readXref } from './xref.ts';

/** Junk before the header that readers pass over (ISO 32000-1, Annex H, implementation note 13). */
const MAX_JUNK = 1024;

/** Opens a PDF for reading. Throws a Failure that names the file: empty, not-pdf, damaged, encrypted. */
export function openPdf(source: ByteSource): PdfFile {
  const disk = onDisk(source);
  return explain(disk.name, () => {
    const windows = new Windows(disk);
    const shift = checkHeader(disk, windows);
    const xref = readXref(windows, shift);
    const file = new PdfFile(disk, windows, xref, false);
    refuseEncrypted(file);
    if (file.dict(file.dict(xref.trailer.get('Root'))?.get('Pages')) === undefined) {
      throw new Damage('the catalog leads to no pages');
    }
    return file;
  });
}

/** Runs work on a file and turns Damage into a Failure that names it. */
export function explain<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Damage ? damaged(name, error) : error;
  }
}

/** As `explain`, for work that takes its time. */
export async function damagedBy<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Damage ? damaged(name, error) : error;
  }
}

/** Damage as the person sees it. */
export function damaged(name: string, error: Damage): Failure {
  return new Failure('unprocessable', `${name} is damaged: ${error.message}`, {
    kind: 'damaged',
    cause: error,
    hint: 'Write it anew with the program it came from, then try again.',
  });
}

function onDisk(source: ByteSource): RandomAccess {
  const { size, read } = source;
  if (size === undefined || read === undefined) throw new TypeError(`${source.name} cannot be read at any place`);
  return {
    name: source.name,
    size,
    open: (signal) => source.open(signal),
    read: (into, at) => read.call(source, into, at),
  };
}

/** Where the header stands; 0 where it has none but is otherwise a PDF. */
function checkHeader(source: RandomAccess, windows: Windows): number {
  if (source.size === 0) throw refuse(source.name, 'empty', 'is empty', 'a PDF');
  windows.load(0, MAX_JUNK + 16);
  const header = find(windows.buf, '%PDF-', 0, Math.min(windows.length, MAX_JUNK + 5));
  if (header >= 0) return header;
  const look = looksLike(windows.buf.subarray(0, windows.length));
  if (look !== undefined) throw refuse(source.name, 'not-pdf', `is not a PDF: it looks like ${look}`, 'a PDF');
  throw refuse(source.name, 'not-pdf', 'is not a PDF: it has no %PDF- header', 'a PDF');
}

function refuse(name: string, kind: FailureKind, what: string, wanted: string): Failure {
  return new Failure('unprocessable', `${name} ${what}`, { kind, hint: `Give ${wanted}.` });
}

const MAGIC: readonly [string, string][] = [
  ['PK\x03\x04', 'a ZIP archive or an Office document'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['II*\x00', 'a TIFF image'],
  ['MM\x00*', 'a TIFF image'],
  ['\x1f\x8b', 'a gzip archive'],
  ['%!PS', 'PostScript'],
  ['\xd0\xcf\x11\xe0', 'an old Office document'],
  ['{\\rtf', 'an RTF document'],
  ['{', 'JSON'],
  ['<?xml', 'XML'],
];

/** What bytes that are no PDF look like, with an article; undefined where they look like nothing known. */
function looksLike(buf: Uint8Array): string | undefined {
  const start = skipSpace(buf, at(buf, 0, '\xef\xbb\xbf') ? 3 : 0, buf.length);
  const head = latin1(buf, start, Math.min(buf.length, start + 512));
  if (/^<(!doctype html|html|head|body)/i.test(head) || /<html[\s>]/i.test(head)) return 'HTML';
  const found = MAGIC.find(([magic]) => head.startsWith(magic));
  if (found !== undefined) return found[1];
  return head.length > 0 && /^[\t\n\r\x20-\x7e\x80-\xff]*$/.test(head) ? 'text' : undefined;
}

function refuseEncrypted(file: PdfFile): void {
  const encrypt = file.dict(file.xref.trailer.get('Encrypt'));
  if (encrypt === undefined) return;
  const handler = encrypt.get('Filter');
  const named = handler instanceof Name && handler.value !== 'Standard' ? ` by the handler ${handler.value}` : '';
  throw new Failure('password', `${file.name} is encrypted${named}`, {
    kind: 'encrypted',
    hint: 'Encrypted files cannot be read yet; decrypt it with another program first.',
  });
}
