// Owns who a request comes from: one key, in either header. Knows no route.
import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../contract/failure.ts';
import { idOf, matches } from './keys.ts';
import type { ApiKey, Store } from './store/store.ts';

/** The key of a request. Throws 400 where two are given, 401 where none or a wrong one is, 403 where it was revoked. */
export async function authenticate(headers: IncomingHttpHeaders, store: Store): Promise<ApiKey> {
  const given = keyOf(headers);
  if (given === undefined) {
    throw new Failure('unauthenticated', 'no API key: send Authorization: Bearer <key> or X-API-Key: <key>');
  }
  const id = idOf(given);
  const found = id === undefined ? undefined : await store.key(id);
  if (found === undefined || !matches(given, found.sha256)) {
    throw new Failure('unauthenticated', 'this API key is not known here');
  }
  if (found.revokedAt !== null) throw new Failure('forbidden', 'this API key was revoked');
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
