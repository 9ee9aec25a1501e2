// Checks addresses: which may be contacted, and which receive the key.
import { Failure } from '../contract/base/failure.ts';

/** Parses a base URL: https, or http on this machine; without credentials, query, fragment or final slash. */
export function parseBaseUrl(text: string | undefined): URL {
  const hint = 'Set it with: pdftool config set base_url https://…';
  if (text === undefined || text.trim() === '') throw new Failure('usage', 'no base URL is configured', { hint });
  if (!/^https?:\/\//i.test(text)) {
    throw new Failure('usage', `the base URL needs a scheme: expected https://…, found '${shown(text)}'`, { hint });
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new Failure('usage', `the base URL cannot be read: '${shown(text)}'`, { hint, cause });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    const message = `the base URL ${url.origin} is plain http, which is accepted for this machine only`;
    throw new Failure('usage', message, { hint: 'Use https, so that the key and the files are not sent in clear.' });
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Failure('usage', `the base URL must hold no credentials, query or fragment: ${url.origin}`, { hint });
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** The URL of a service path (`/api/v1/…`) below the base URL, which may have a path itself. */
export function below(base: URL, path: string): URL {
  return new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${path}`);
}

export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

/** The target of a redirected GET. Throws for a step from https to http, or to plain http on another machine. */
export function nextHop(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) {
    throw new Failure('server', `${from.host} answered with a redirect that has no usable address`);
  }
  const to = new URL(location, from);
  const allowed = to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:' && isLoopback(to));
  if (!allowed) {
    const message = `${from.host} redirects to ${to.protocol}//${to.host}, which is not followed: only https is`;
    throw new Failure('server', message);
  }
  to.username = '';
  to.password = '';
  return to;
}

function shown(text: string): string {
  return text
    .replace(/\/\/[^/@]*@/, '//…@')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .slice(0, 100);
}
