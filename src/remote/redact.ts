// Masks secrets in trace lines: keys, signed addresses, passwords.
import { plain } from '../wire/plain.ts';
import { maskKey } from './credentials.ts';

const SECRET_HEADERS = /^(authorization|proxy-authorization|x-api-key|cookie|set-cookie|idempotency-key)$/i;

/** Masks every key in a text, and removes credentials and queries, which may hold signatures, from addresses. */
export function maskSecrets(text: string, key?: string): string {
  const masked = key === undefined || key === '' ? text : text.replaceAll(key, maskKey(key));
  return plain(
    masked
      .replace(/sk_(?:live|test)_[A-Za-z0-9_-]+/g, (match) => maskKey(match))
      .replace(/(https?:\/\/)[^/\s@]*@/gi, '$1')
      .replace(/(https?:\/\/[^\s?#"']*)[?#][^\s"']*/gi, '$1?…')
      .replace(/((?:password|passwd|secret|token)["']?\s*[=:]\s*["']?)[^\s"'&]+/gi, '$1…'),
  );
}

export function headerLine(name: string, value: string, key?: string): string {
  if (!SECRET_HEADERS.test(name)) return `${name}: ${maskSecrets(value, key)}`;
  const scheme = /^(bearer|basic) /i.exec(value)?.[0] ?? '';
  const secret = value.slice(scheme.length);
  return `${name}: ${scheme}${secret === key ? maskKey(secret) : '…'}`;
}

/** An address as trace lines and messages show it. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
