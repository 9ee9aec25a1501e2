import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../contract/failure.ts';
import type { Exchange } from './http/exchange.ts';
import { idOf, matches } from './keys.ts';
import type { Service } from './service.ts';
import type { ApiKey } from './store/store.ts';

/** The key of a request. Throws 400 where two are given, 401 where none or a wrong one is, 403 where it was revoked, 429 where it asks too often. */
export async function authenticate(exchange: Exchange, { store, rates }: Service): Promise<ApiKey> {
  const given = keyOf(exchange.incoming.headers);
  if (given === undefined) {
    throw new Failure('unauthenticated', 'no API key: send Authorization: Bearer <key> or X-API-Key: <key>');
  }
  const id = idOf(given);
  const found = id === undefined ? undefined : await store.key(id);
  if (found === undefined || !matches(given, found.sha256)) {
    throw new Failure('unauthenticated', 'this API key is not known here');
  }
  if (found.revokedAt !== null) throw new Failure('forbidden', 'this API key was revoked');
  exchange.facts.account = found.account;
  rates.countKey(found.id, exchange.incoming);
  return found;
}

function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const plain = headers['x-api-key'];
  if (headers.authorization !== undefined && bearer === undefined) {
    throw new Failure('unauthenticated', 'expected Authorization: Bearer <key>, found another scheme');
  }
  if (Array.isArray(plain)) throw new Failure('usage', 'X-API-Key is given more than once');
  if (bearer !== undefined && plain !== undefined && bearer !== plain.trim()) {
    throw new Failure('usage', 'Authorization and X-API-Key hold different keys: send one of them');
  }
  return bearer ?? plain?.trim();
}
