import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contract/base/failure.ts';
import type { Service } from '../service/service.ts';

/** A header that may occur once. Of two, Node keeps the first, and a proxy may have checked the other. */
export function onlyHeader({ rawHeaders, headers }: IncomingMessage, name: string): string | undefined {
  const times = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name.toLowerCase()).length;
  if (times > 1) throw new Failure('usage', `expected one ${name} header, found ${times}`);
  const value = headers[name.toLowerCase()];
  return value === undefined ? undefined : String(value);
}

/** RFC 9110, 7.2: a host, and a port unless it is the scheme's default. */
const FORM = /^(\[[\da-f:.]+\]|[a-z\d._~-]+)(?::\d{1,5})?$/i;
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** Throws for a missing or malformed Host header, or one that names no known host of this server. */
export function assertHost(incoming: IncomingMessage, anyName: boolean, service: Service): void {
  const host = onlyHeader(incoming, 'Host');
  if (host === undefined && incoming.httpVersion === '1.0') return;
  if (host === undefined) throw new Failure('usage', 'the request has no Host header');
  const name = FORM.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) {
    throw new Failure('usage', 'expected one Host header such as example.org or example.org:8787');
  }
  const { public_url, hosts } = service.settings;
  if (anyName || public_url === undefined) return;
  const known = [new URL(public_url).hostname, service.listening().host, ...hosts, ...THIS_MACHINE];
  if (known.some((host) => host.toLowerCase() === name || `[${host.toLowerCase()}]` === name)) return;
  throw new Failure('usage', 'this server is not the host that the Host header names', { status: 421 });
}
