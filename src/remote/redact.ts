// A trace line must not show keys, signed addresses or passwords.
import { plain } from '../wire/plain.ts';
import { maskKey } from './credentials.ts';

const SECRET_HEADERS = /^(authorization|proxy-authorization|x-api-key|cookie|set-cookie|idempotency-key)$/i;

/** Text with every key masked, credentials of addresses cut, and the query of addresses hidden: signatures live there. */
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

/** An address as a trace line or a message shows it. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
