import { timingSafeEqual } from 'node:crypto';
import { Failure } from '../../contract/base/failure.ts';
import type { Service } from '../service/service.ts';
import type { Exchange } from './exchange.ts';

/** A URL for `verb` on `path`, valid until `expires` (seconds since the epoch). `shown`: unsigned parameters. */
export function signedAddress(
  { verb, path, expires, shown = {} }: { verb: string; path: string; expires: number; shown?: Record<string, string> },
  sign: (text: string) => string,
): string {
  const query = new URLSearchParams({
    ...shown,
    expires: String(expires),
    signature: sign(`${verb} ${path} ${expires}`),
  });
  return `${path}?${query}`;
}

/** Throws 403 for a forged address and 410 for an expired one. */
export function checkAddress(verb: string, path: string, { query }: Exchange, { sign, clock }: Service): void {
  const expires = query.get('expires') ?? '';
  const given = Buffer.from(query.get('signature') ?? '', 'hex');
  const expected = Buffer.from(sign(`${verb} ${path} ${expires}`), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Failure('forbidden', 'this address was not made by this server');
  }
  if (Number(expires) * 1000 < clock.now()) {
    throw new Failure('not_found', 'this address has expired', { status: 410 });
  }
}

const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Where clients reach this server: public_url, else where it listens. Never the Host header, which the client writes. */
export function baseAddress({ incoming }: Exchange, { settings, listening }: Service): string {
  if (settings.public_url !== undefined) return settings.public_url.replace(/\/+$/, '');
  const { host, port } = listening();
  const { localAddress = 'localhost' } = incoming.socket;
  // A server that listens on all addresses gives the one that this client has reached.
  const name = EVERY_ADDRESS.includes(host) ? localAddress.replace(/^::ffff:/, '') : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
