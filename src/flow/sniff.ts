// Owns what a file looks like from its first bytes, before anything is sent or charged. Knows no engine.
import { EXTENSIONS, JPEG, PDF, PNG, ZIP } from '../contract/media.ts';
import type { ByteSource } from '../contract/ports.ts';

/** A PDF may begin with other bytes: readers take `%PDF-` anywhere in the first 1024 (ISO 32000, annex H of earlier editions). */
const HEAD = 1024;

const STARTS: readonly (readonly [type: string, start: RegExp])[] = [
  [PNG, /^\u0089PNG\r\n\u001a\n/],
  [JPEG, /^\u00ff\u00d8\u00ff/],
  [PDF, /%PDF-/],
  [ZIP, /^PK[\u0003\u0005]/],
  ['text/html', /^\s*<(!doctype html|html)/i],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF....WEBP/s],
  ['image/tiff', /^(II\*\u0000|MM\u0000\*)/],
];

/** The first bytes as latin1 text; `undefined` where the source can be read only once. */
export function headOf(source: ByteSource): string | undefined {
  if (source.read === undefined) return undefined;
  const head = new Uint8Array(HEAD);
  return String.fromCharCode(...head.subarray(0, source.read(head, 0)));
}

/** The media type that first bytes stand for; `undefined` where they stand for none that is known here. */
export function typeOf(head: string): string | undefined {
  return STARTS.find(([, start]) => start.test(head))?.[0];
}

/** Whether first bytes may be of a type; a ZIP with a PDF in it may be taken for either. */
export function startsAs(head: string, type: string): boolean {
  return STARTS.some(([each, start]) => each === type && start.test(head));
}

/** What a head looks like, in words. */
export function looksLike(head: string): string {
  const type = typeOf(head);
  if (type !== undefined) return EXTENSIONS[type] === undefined ? type : `a ${EXTENSIONS[type][0].toUpperCase()} file`;
  return /^[\t\n\r\u0020-\u007e\u00a0-\u00ff]*$/.test(head) ? 'text' : 'data of an unknown kind';
}
