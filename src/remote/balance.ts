// Queries the remaining credits, only by requests that cost nothing.

import type { Context, Credits } from '../contract/base/ports.ts';
import { JSON_TYPE } from '../contract/media.ts';
import { account } from '../contract/operations/service/account.ts';
import { parseRecord } from '../wire/response.ts';
import { below } from './address.ts';
import { readReply } from './receive.ts';
import type { Transport } from './transport.ts';

/** Longest wait for the balance, in milliseconds. */
const PATIENCE = 10_000;
const RECORD_CAP = 64 * 1024;

export interface Balance {
  /**
   * The credits before a charged request: known from the last answer, or queried. `refused`: the key was rejected
   * (401), which is better known before a large upload.
   */
  before(ctx: Context): Promise<{ remaining?: number; refused?: true }>;
  /** The credits now; undefined where the service does not tell. */
  after(ctx: Context): Promise<number | undefined>;
  /** Remembers the credits of an answer; an answer without them makes the number unknown. */
  learn(credits: Credits | undefined): void;
}

export function createBalance(transport: Transport, base: URL): Balance {
  let known: number | undefined;

  async function ask(ctx: Context): Promise<{ remaining?: number; refused?: true }> {
    try {
      const url = below(base, account.path);
      const request = { method: 'GET', url, headers: { accept: JSON_TYPE }, patience: PATIENCE };
      const watching = { signal: ctx.signal, progress: () => {} };
      const reply = await transport.send(request, { started: false, sent: 0 }, watching);
      if (reply.status === 401) {
        reply.discard();
        return { refused: true };
      }
      const { credits_remaining } = parseRecord(await readReply(reply, RECORD_CAP));
      return reply.status === 200 && typeof credits_remaining === 'number' ? { remaining: credits_remaining } : {};
    } catch {
      return {}; // the request itself will tell what is wrong
    }
  }

  return {
    async before(ctx) {
      if (known !== undefined) return { remaining: known };
      const answer = await ask(ctx);
      known = answer.remaining;
      return answer;
    },
    async after(ctx) {
      known = (await ask(ctx)).remaining;
      return known;
    },
    learn(credits) {
      known = credits?.remaining;
    },
  };
}
