import { authenticate } from '../http/auth.ts';
import { type Exchange, type HttpAnswer, jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';

export async function accountRecord(exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const { store, clock } = service;
  const key = await authenticate(exchange, service);
  const account = await store.account(key.account, clock.now());
  if (account === undefined) throw new TypeError(`${key.id} belongs to no account`);
  return jsonAnswer(200, {
    ok: true,
    credits_remaining: account.available,
    credits_lifetime_used: account.used,
    free_tier_resets_at: new Date(account.resetsAt).toISOString(),
    api_key: { id: key.id, label: key.label },
    credits_reserved: account.reserved,
  });
}
