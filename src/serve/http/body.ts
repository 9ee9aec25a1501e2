// Bodies of requests: read in turns, so that many at once leave the event loop time for everything else, and never too slowly.
import { Failure } from '../../contract/failure.ts';
import type { Clock } from '../../contract/ports.ts';
import type { Service } from '../service.ts';
import type { Exchange } from './exchange.ts';

type Rate = Pick<Service['settings'], 'minimum_rate' | 'rate_window_seconds'>;

/** Seconds that a sender has before its first bytes count as late. */
const HEAD_START = 2;
/** Milliseconds between two looks at a sender that is waited for. */
const LOOK = 500;

/**
 * The chunks of a body, read by the turns of the account that sent it. Throws a Failure where the sender leaves, is too
 * slow, or `signal` is aborted; nothing more is read then.
 */
export async function* chunksOf(
  exchange: Exchange,
  service: Service,
  signal = exchange.signal,
): AsyncGenerator<Buffer> {
  const { incoming, facts } = exchange;
  const { turns, clock, metrics, settings } = service;
  const owner = facts.account ?? '';
  let received = 0;
  const patience = new Patience(settings, clock);
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
  void watch(patience, clock, over.signal).catch(stop);
  try {
    if (signal.aborted) leave();
    for (;;) {
      if (failure !== undefined) throw failure;
      const chunk = incoming.read() as Buffer | null;
      if (chunk !== null) {
        received += chunk.length;
        patience.came(chunk.length);
        yield chunk;
        const turn = turns.next(owner, chunk.length);
        if (turn !== undefined) await turn;
      } else if (incoming.readableEnded) {
        return;
      } else if (incoming.destroyed) {
        throw new Failure('interrupted', 'the connection was closed before the request was complete', {
          kind: 'truncated',
        });
      } else {
        patience.waits();
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

/** How long a sender may still let us wait: every byte gives it time, waiting for it takes it. What we make it wait costs it nothing. */
class Patience {
  readonly #rate: Rate;
  readonly #clock: Clock;
  #seconds: number;
  #since: number | undefined;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#seconds = Math.min(HEAD_START, rate.rate_window_seconds);
  }

  waits(): void {
    this.#since ??= this.#clock.now();
  }

  came(bytes: number): void {
    const { minimum_rate, rate_window_seconds } = this.#rate;
    this.#seconds = Math.min(rate_window_seconds, this.#left + bytes / minimum_rate);
    this.#since = undefined;
  }

  assertKept(): void {
    if (this.#left >= 0) return;
    const message = `the upload is too slow: expected at least ${this.#rate.minimum_rate} bytes a second`;
    throw new Failure('refused', message, { kind: 'truncated' });
  }

  get #left(): number {
    return this.#seconds - (this.#since === undefined ? 0 : (this.#clock.now() - this.#since) / 1000);
  }
}

async function watch(patience: Patience, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(LOOK, signal).catch(() => {});
    if (!signal.aborted) patience.assertKept();
  }
}

/** The text of a body of at most `most` bytes. */
export async function readBody(exchange: Exchange, service: Service, most: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(exchange, service)) {
    size += chunk.length;
    if (size > most) throw new Failure('too_large', `expected a body of at most ${most} bytes`, { kind: 'limit' });
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A client that sends more than was read gets to read the answer first: for so long, and for so many bytes. */
const HEAR_OUT = { milliseconds: 20_000, bytes: 64 * 1024 ** 2 };

/** Lets a client that still sends finish, within bounds and few at once; beyond them the connection is closed. */
export async function hearOut(exchange: Exchange, service: Service): Promise<void> {
  const { incoming } = exchange;
  if (incoming.complete && incoming.readableLength === 0) {
    incoming.resume();
    return;
  }
  if (incoming.destroyed) return;
  const over = new AbortController();
  const late = service.clock.sleep(HEAR_OUT.milliseconds, over.signal).then(
    () => over.abort(new Failure('refused', 'the client went on for too long')),
    () => {},
  );
  let seen = 0;
  const leave = await service.turns.hear(over.signal);
  try {
    const unheard = { ...exchange, facts: { account: UNHEARD } };
    for await (const chunk of chunksOf(unheard, service, over.signal)) {
      seen += chunk.length;
      if (seen > HEAR_OUT.bytes) break;
    }
  } catch {
    // It left, or there was no end of it.
  } finally {
    leave();
  }
  over.abort();
  await late;
  if (!incoming.readableEnded) incoming.socket.destroy();
}

/** The account of all those whose bodies nobody wants. */
const UNHEARD = 'unheard';
