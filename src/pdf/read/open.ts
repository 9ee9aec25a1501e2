import { Failure, type FailureKind } from '../../contract/failure.ts';
import { HEAD, headText, looksLike } from '../../contract/media.ts';
import type { ByteSource, RandomAccess } from '../../contract/ports.ts';
import { onDisk } from '../on-disk.ts';
import { lostEncryption } from '../repair/lost-trailer.ts';
import { repair } from '../repair/repair.ts';
import { find, latin1 } from '../syntax/characters.ts';
import { Damage, KeyLost, namingFile } from '../syntax/damage.ts';
import { Dict } from '../syntax/values.ts';
import { numberAt } from './entries.ts';
import { PdfFile } from './pdf-file.ts';
import { Windows } from './windows.ts';
import { readXref } from './xref-table.ts';

/** Among a file's repairs when its objects were found by scanning. */
export const REBUILT = 'its cross-reference table was made anew';

/** Asks for the password of a file; undefined when there is none to give. `attempt` counts from 1. */
export type AskPassword = (name: string, attempt: number) => Promise<string | undefined>;

export interface OpenOptions {
  /** Called when the empty password does not open the file. */
  readonly password?: AskPassword | undefined;
  /** trust: the cross-reference table or nothing. scan: do not look at the table. Left out: the table, else a scan. */
  readonly table?: 'trust' | 'scan';
  /** Of the ways in which a damaged file can be put together, one that leads to so many pages is taken before others. */
  readonly pages?: number | undefined;
}

/** Opens a PDF for reading. Throws a Failure that names the file: empty, not-pdf, damaged, encrypted. */
export async function openPdf(source: ByteSource, options: OpenOptions = {}): Promise<PdfFile> {
  const disk = onDisk(source);
  return damagedBy(disk.name, async () => {
    const windows = new Windows(disk);
    const shift = checkHeader(disk, windows);
    if (options.table === 'scan') return openByScan(disk, windows, shift, options);
    try {
      return await openByTable(disk, windows, shift, options);
    } catch (error) {
      if (!(error instanceof Damage) || options.table === 'trust') throw error;
      return await openByScan(disk, windows, shift, options);
    }
  });
}

async function openByTable(
  source: RandomAccess,
  windows: Windows,
  shift: number,
  options: OpenOptions,
): Promise<PdfFile> {
  const table = namingFile(source.name, () => readXref(windows, shift));
  const file = new PdfFile(source, windows, table);
  await decrypt(file, options);
  if (file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Pages')) === undefined) {
    throw new Damage('the catalog leads to no pages');
  }
  return file;
}

async function openByScan(
  source: RandomAccess,
  windows: Windows,
  shift: number,
  options: OpenOptions,
): Promise<PdfFile> {
  const file = await repair(source, windows, shift, (each) => decrypt(each, options), options.pages);
  file.repairs.add(REBUILT);
  return file;
}

/** Runs work on a file and turns Damage into a Failure that names it. */
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

/** Where the header stands; 0 where it has none but is otherwise a PDF. */
function checkHeader(source: RandomAccess, windows: Windows): number {
  if (source.size === 0) throw refuse(source.name, 'empty', 'is empty', 'a PDF');
  const head = windows.slice(0, HEAD + 16);
  const limit = Math.min(head.length, HEAD + 5);
  const header = find(head, '%PDF-', 0, limit);
  if (header >= 0) return header;
  const far = farHeader(windows);
  if (far !== undefined) return far;
  const look = looksLike(headText(windows.view(0, HEAD + 16).bytes));
  // A header that is misspelt or missing keeps nobody from reading what follows, as long as objects do.
  const objects = /(^|\s)\d+ \d+ obj\b/;
  if (
    (objects.test(latin1(head, 0, limit)) || (endsAsPdf(windows) && objects.test(beginning(windows)))) &&
    look !== 'HTML'
  )
    return 0;
  throw refuse(
    source.name,
    'not-pdf',
    `is not a PDF: it ${look === undefined ? 'has no %PDF- header' : `looks like ${look}`}`,
    'a PDF',
  );
}

/** Other readers look for a header farther than they have to, as long as objects follow it. */
const FAR = 64 * 1024;

function beginning(windows: Windows): string {
  const head = windows.slice(0, FAR);
  return latin1(head, 0, head.length);
}

function endsAsPdf(windows: Windows): boolean {
  const end = windows.slice(Math.max(0, windows.size - HEAD), HEAD);
  return find(end, 'startxref', 0, end.length) >= 0;
}

function farHeader(windows: Windows): number | undefined {
  const text = beginning(windows);
  const at = text.search(/%PDF-\d\.\d/);
  return at >= 0 && /\s\d+ \d+ obj\b/.test(text.slice(at)) ? at : undefined;
}

function refuse(name: string, kind: FailureKind, what: string, wanted: string): Failure {
  return new Failure('unprocessable', `${name} ${what}`, { kind, hint: `Give ${wanted}.` });
}

const MAX_ATTEMPTS = 3;

/** Finds the key of an encrypted file: with the empty password, which opens for reading, else with those given. */
async function decrypt(file: PdfFile, { password }: OpenOptions): Promise<void> {
  const { trailer } = file.xref;
  const named = file.dict(trailer.get('Encrypt'));
  const encrypt = named ?? lostEncryption(file);
  if (encrypt === undefined) return;
  if (encrypt.number('V') === undefined && !encrypt.has('O') && !encrypt.has('Recipients')) {
    throw new KeyLost('what says how it is encrypted is lost');
  }
  // Before revision 5 the key is made of the trailer's /ID too, and no password would help.
  const keyLost = named === undefined && !trailer.has('ID') && (numberAt(file, encrypt, 'R') ?? 0) < 5;
  const { firstId, readHandler, UnknownHandler, unlock } = await import('../crypt/decryption.ts');
  try {
    const handler = readHandler(resolved(file, encrypt), firstId(file.resolve(trailer.get('ID'))));
    file.decryption = unlock(handler, '');
    for (let attempt = 1; file.decryption === undefined; attempt++) {
      if (keyLost) throw new KeyLost('it is encrypted, and its key is lost with its trailer');
      const given = attempt > MAX_ATTEMPTS ? undefined : await password?.(file.name, attempt);
      if (given === undefined) throw locked(file.name, attempt > 1);
      file.decryption = unlock(handler, given);
      file.password = given;
    }
    if (named === undefined) file.repairs.add('its trailer does not say that it is encrypted');
  } catch (error) {
    if (!(error instanceof UnknownHandler)) throw error;
    throw new Failure('password', `${file.name} is encrypted by ${error.message}, which pdftool does not know`, {
      kind: 'encrypted',
      cause: error,
      hint: 'Decrypt it with the program it was made for.',
    });
  }
}

function locked(name: string, wrong: boolean): Failure {
  return new Failure('password', wrong ? `${name}: the password is wrong` : `${name} needs a password`, {
    kind: 'encrypted',
    hint: 'Give it with --password-file FILE, or in PDFTOOL_PDF_PASSWORD.',
  });
}

/** Dictionaries in an encryption dictionary: /CF, and the filters in it (ISO 32000-1, 7.6.5). */
const MOST_LEVELS = 3;

/** The encryption dictionary with its values at hand. */
function resolved(file: PdfFile, dict: Dict, level = 1): Dict {
  const plain = new Dict();
  for (const [key, value] of dict) {
    const found = file.resolve(value);
    if (!(found instanceof Dict)) plain.set(key, found);
    else if (level < MOST_LEVELS) plain.set(key, resolved(file, found, level + 1));
  }
  return plain;
}
