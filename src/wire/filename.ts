// File names in requests and answers: base names only, quoted so that no name can end a header.
import { ANY, EXTENSIONS } from '../contract/media.ts';

/**
 * The last segment of a Unix or Windows path: the only part of a name that is sent. Control characters, which proxies
 * and servers treat differently, become `_`; an empty name becomes `file`.
 */
export function safeBaseName(name: string): string {
  const last = name.split(/[/\\]/).pop() ?? '';
  const plain = last.replace(/[\u0000-\u001f\u007f-\u009f]/g, '_').trim();
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain;
}

/** A value inside the quotes of a Content-Disposition of multipart/form-data, escaped as browsers do (HTML, "multipart form data"). */
export function quoted(value: string): string {
  const escaped = value.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
  return `"${escaped}"`;
}

/** Valid on every system, and not hidden. */
const PLAIN = /^(?![.\s])[^\p{Cc}\p{Cf}/\\:*?"<>|]{1,230}$/u;

/** Whether an archive's file name is plain (no folder, no device) and has the extension of one of these media types. */
export function isPlainName(name: string, types: readonly string[]): boolean {
  if (types.includes(ANY)) return PLAIN.test(name) && !name.includes('..');
  const match = /^[\p{L}\p{N}_][\p{L}\p{N}_ .()-]{0,200}\.([a-z0-9]{1,5})$/iu.exec(name);
  const extension = match?.[1]?.toLowerCase() ?? '';
  return !name.includes('..') && types.some((type) => EXTENSIONS[type]?.includes(extension));
}
