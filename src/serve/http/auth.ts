import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contract/base/failure.ts';
import { idOf, matches } from '../service/keys.ts';
import type { Service } from '../service/service.ts';
import type { ApiKey, Job } from '../store/rows.ts';
import type { Exchange } from './exchange.ts';
import { onlyHeader } from './headers.ts';

/** The key of a request. Throws 400 for two keys, 401 for none or an unknown one, 403 for a revoked one, 429 above its rate. */
export async function authenticate(exchange: Exchange, { store, rates }: Service): Promise<ApiKey> {
  const given = keyOf(exchange.incoming);
  if (given === undefined) {
    throw new Failure('unauthenticated', 'no API key: send Authorization: Bearer <key> or X-API-Key: <key>');
  }
  const id = idOf(given);
  const key = id === undefined ? undefined : await store.key(id);
  if (key === undefined || !matches(given, key.sha256)) {
    throw new Failure('unauthenticated', 'this API key is not known here');
  }
  if (key.revokedAt !== null) throw new Failure('forbidden', 'this API key was revoked');
  exchange.facts.account = key.account;
  rates.countKey(key.id, exchange.incoming);
  return key;
}

/** A job of the caller's account. Jobs of other accounts are 404, like those that do not exist. */
export async function jobOfCaller(
  exchange: Exchange,
  service: Service,
  find: () => Promise<Job | undefined>,
): Promise<Job> {
  const key = await authenticate(exchange, service);
  const job = await find();
  if (job === undefined || job.account !== key.account) throw new Failure('not_found', 'there is no such job');
  return job;
}

/** Throws unless the request has this secret. `name`: of the secret. */
export function assertBearer(secret: string, incoming: IncomingMessage, name: string): void {
  const given = onlyHeader(incoming, 'Authorization') ?? '';
  const [left, right] = [`Bearer ${secret}`, given].map((text) => createHash('sha256').update(text).digest());
  if (left !== undefined && right !== undefined && timingSafeEqual(left, right)) return;
  throw new Failure('unauthenticated', `expected Authorization: Bearer <${name}>`);
}

function keyOf(incoming: IncomingMessage): string | undefined {
  const authorization = onlyHeader(incoming, 'Authorization');
  const plain = onlyHeader(incoming, 'X-API-Key');
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (authorization !== undefined && bearer === undefined) {
    throw new Failure('unauthenticated', 'expected Authorization: Bearer <key>, found another scheme');
  }
  if (bearer !== undefined && plain !== undefined && bearer !== plain.trim()) {
    throw new Failure('usage', 'Authorization and X-API-Key hold different keys: send one of them');
  }
  return bearer ?? plain?.trim();
}
