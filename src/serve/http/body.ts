// Reads request bodies in turns, so that the event loop has time for the rest, and refuses slow senders.

import { Failure } from '../../contract/base/failure.ts';
import type { Clock } from '../../contract/base/ports.ts';
import { after } from '../../contract/base/timing.ts';
import { JSON_BYTES } from '../../wire/json.ts';
import { every } from '../base/loops.ts';
import type { Service } from '../service/service.ts';
import type { Exchange } from './exchange.ts';

/** Seconds that a sender has for its first bytes. */
const FIRST_BYTES_WITHIN = 2;
/** Milliseconds between two checks of a slow sender. */
const CHECK_INTERVAL = 500;

/** The chunks of a body, read in the turns of its account. Throws a Failure when the sender leaves or is too slow. */
export async function* bodyChunks(
  exchange: Exchange,
  service: Service,
  signal = exchange.signal,
): AsyncGenerator<Buffer> {
  const { incoming, facts } = exchange;
  const { readQueue, clock, metrics, settings } = service;
  const owner = facts.account ?? '';
  let received = 0;
  const allowance = rateAllowance(settings, clock);
  let wake = () => {};
  let failure: unknown;
  const rouse = () => wake();
  const stop = (reason: unknown) => {
    failure ??= reason;
    wake();
  };
  const leave = () => stop(signal.reason);
  for (const event of ['readable', 'end', 'close']) incoming.on(event, rouse);
  signal.addEventListener('abort', leave, { once: true });
  const over = new AbortController();
  void every(CHECK_INTERVAL, allowance.assertKept, clock, over.signal).catch(stop);
  try {
    if (signal.aborted) leave();
    for (;;) {
      if (failure !== undefined) throw failure;
      const chunk = incoming.read() as Buffer | null;
      if (chunk !== null) {
        received += chunk.length;
        allowance.received(chunk.length);
        yield chunk;
        const wait = readQueue.next(owner, chunk.length);
        if (wait !== undefined) await wait;
      } else if (incoming.readableEnded) {
        return;
      } else if (incoming.destroyed) {
        throw new Failure('interrupted', 'the connection was closed before the request was complete', {
          kind: 'truncated',
        });
      } else {
        allowance.waiting();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    over.abort();
    facts.bytes_in = received;
    metrics.received(received);
    signal.removeEventListener('abort', leave);
    for (const event of ['readable', 'end', 'close']) incoming.removeListener(event, rouse);
  }
}

/** A sender's time allowance: each byte adds to it, waiting for the next uses it up. Server time does not count. */
function rateAllowance({ minimum_rate, rate_window_seconds }: Service['settings'], clock: Clock) {
  let seconds = Math.min(FIRST_BYTES_WITHIN, rate_window_seconds);
  let since: number | undefined;
  const left = () => seconds - (since === undefined ? 0 : (clock.now() - since) / 1000);
  return {
    waiting(): void {
      since ??= clock.now();
    },
    received(bytes: number): void {
      seconds = Math.min(rate_window_seconds, left() + bytes / minimum_rate);
      since = undefined;
    },
    assertKept(): void {
      if (left() >= 0) return;
      const message = `the upload is too slow: expected at least ${minimum_rate} bytes a second`;
      throw new Failure('refused', message, { kind: 'truncated' });
    },
  };
}

/** The text of a JSON body of at most `most` bytes. */
export async function readBody(exchange: Exchange, service: Service, most = JSON_BYTES): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyChunks(exchange, service)) {
    size += chunk.length;
    if (size > most) throw new Failure('too_large', `expected a body of at most ${most} bytes`, { kind: 'limit' });
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Limits for reading the body of a refused request, so that its client can read the answer. */
const DRAIN = { milliseconds: 20_000, bytes: 64 * 1024 ** 2 };

/** Discards the rest of a body within limits; beyond them the connection is closed. */
export async function drainBody(exchange: Exchange, service: Service): Promise<void> {
  const { incoming } = exchange;
  if (incoming.complete && incoming.readableLength === 0) {
    incoming.resume();
    return;
  }
  if (incoming.destroyed) return;
  const over = new AbortController();
  const late = after(DRAIN.milliseconds, service.clock, over.signal, () =>
    over.abort(new Failure('refused', 'the client kept sending for too long')),
  );
  let seen = 0;
  const leave = await service.readQueue.drain(over.signal);
  try {
    const drained = { ...exchange, facts: { account: DRAINED } };
    for await (const chunk of bodyChunks(drained, service, over.signal)) {
      seen += chunk.length;
      if (seen > DRAIN.bytes) break;
    }
  } catch (error) {
    // The client left, or was too slow or too long.
    if (!(error instanceof Failure)) throw error;
  } finally {
    leave();
    over.abort();
  }
  await late;
  if (!incoming.readableEnded) incoming.socket.destroy();
}

/** The account under which drained bodies take turns. */
const DRAINED = 'drained';
