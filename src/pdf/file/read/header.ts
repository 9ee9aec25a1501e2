// Finds the header of a file (ISO 32000-1, 7.5.2), or says why the file is no PDF.
import { Failure, type FailureKind } from '../../../contract/base/failure.ts';
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { HEAD, headText, looksLike } from '../../../contract/media.ts';
import { findWord, latin1 } from '../../syntax/characters.ts';
import type { Windows } from './windows.ts';

/** Other readers search this many bytes for a header, as long as objects follow it. */
const FAR = 64 * 1024;
const OBJECT = /(^|\s)\d+ \d+ obj\b/;

/** The position of the header; 0 for a PDF without one. @throws Failure of kind `empty` or `not-pdf`. */
export function checkHeader(source: RandomAccess, windows: Windows): number {
  if (source.size === 0) throw refuse(source.name, 'empty', 'is empty');
  const head = windows.slice(0, HEAD + 16);
  const limit = Math.min(head.length, HEAD + 5);
  const header = findWord(head, '%PDF-', 0, limit);
  if (header >= 0) return header;
  const far = farHeader(windows);
  if (far !== undefined) return far;
  const look = looksLike(headText(windows.view(0, HEAD + 16).bytes));
  // A file whose header is misspelt or missing can be read as long as it holds objects.
  const hasObjects = OBJECT.test(latin1(head, 0, limit)) || (endsAsPdf(windows) && OBJECT.test(beginning(windows)));
  if (hasObjects && look !== 'HTML') return 0;
  const why = look === undefined ? 'has no %PDF- header' : `looks like ${look}`;
  throw refuse(source.name, 'not-pdf', `is not a PDF: it ${why}`);
}

/** The version in the header, such as 1.7, wherever in the beginning that stands; undefined where it has none. */
export function headerVersion(windows: Windows): string | undefined {
  const head = windows.slice(0, HEAD);
  return /%PDF-(\d\.\d)/.exec(latin1(head, 0, head.length))?.[1];
}

function beginning(windows: Windows): string {
  const head = windows.slice(0, FAR);
  return latin1(head, 0, head.length);
}

function endsAsPdf(windows: Windows): boolean {
  const end = windows.slice(Math.max(0, windows.size - HEAD), HEAD);
  return findWord(end, 'startxref', 0, end.length) >= 0;
}

function farHeader(windows: Windows): number | undefined {
  const text = beginning(windows);
  const at = text.search(/%PDF-\d\.\d/);
  return at >= 0 && /\s\d+ \d+ obj\b/.test(text.slice(at)) ? at : undefined;
}

function refuse(name: string, kind: FailureKind, what: string): Failure {
  return new Failure('unprocessable', `${name} ${what}`, { kind, hint: 'Give a PDF.' });
}
