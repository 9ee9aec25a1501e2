import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../contract/ports.ts';
import { HttpFailure } from '../http/http-failure.ts';
import type { ServeSettings } from '../settings.ts';

/** Requests a minute that somebody from another machine may send unless the operator says otherwise. */
const USUAL = 600;
/** Those remembered at once; more come from one who makes up addresses, and the oldest are forgotten. */
const MOST = 50_000;
const MINUTE = 60_000;

type RateSettings = Pick<ServeSettings, 'key_rate' | 'address_rate' | 'mcp_rate' | 'proxies'>;

/** How often keys and addresses ask: a bucket each, which a minute fills. */
export class Rates {
  readonly #settings: RateSettings;
  readonly #clock: Clock;
  readonly #keys = new Map<string, Bucket>();
  readonly #addresses = new Map<string, Bucket>();
  readonly #askers = new Map<string, Bucket>();

  constructor(settings: RateSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Throws 429 where a key asks too often. */
  countKey(id: string, incoming: IncomingMessage): void {
    this.#count(this.#keys, id, this.#settings.key_rate || usualFor(this.#clientOf(incoming)), 'this API key');
  }

  /** Throws 429 where an address asks too often, with whatever keys. */
  countAddress(incoming: IncomingMessage): void {
    const client = this.#clientOf(incoming);
    const most = this.#settings.address_rate || usualFor(client);
    this.#count(this.#addresses, networkOf(client), most, 'this address');
  }

  /** Throws 429 where an address asks the tools at /mcp too often; it may be of this machine, and needs no key. */
  countQuestions(incoming: IncomingMessage, questions: number): void {
    const network = networkOf(this.#clientOf(incoming));
    for (let each = 0; each < questions; each += 1)
      this.#count(this.#askers, network, this.#settings.mcp_rate, 'one address');
  }

  /** Who asks: what stands nearest in X-Forwarded-For that is no proxy of ours, where one of them brought it. */
  #clientOf({ socket, headers }: IncomingMessage): string {
    const { proxies } = this.#settings;
    const told = proxies.length === 0 ? [] : String(headers['x-forwarded-for'] ?? '').split(',');
    const way = [...told, socket.remoteAddress ?? ''].map((each) => each.trim().replace(/^::ffff:/, ''));
    while (way.length > 1 && proxies.includes(way.at(-1) ?? '')) way.pop();
    return way.at(-1) ?? '';
  }

  #count(buckets: Map<string, Bucket>, name: string, most: number | undefined, who: string): void {
    if (most === undefined) return;
    const now = this.#clock.now();
    const { left, at } = buckets.get(name) ?? { left: most, at: now };
    const filled = Math.min(most, left + (Math.max(0, now - at) * most) / MINUTE);
    if (filled < 1) {
      const seconds = Math.max(1, Math.ceil(((1 - filled) * MINUTE) / most / 1000));
      throw new HttpFailure('rate_limited', `${who} may send ${most} requests a minute`, 429, {
        'Retry-After': String(seconds),
      });
    }
    // The last one used is the youngest.
    buckets.delete(name);
    buckets.set(name, { left: filled - 1, at: now });
    const [oldest] = buckets.size > MOST ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
  }
}

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** Nobody counts the requests of this machine unless told to: a proxy in front would be one address for everybody. */
function usualFor(client: string): number | undefined {
  return /^127\.|^::1$/.test(client) ? undefined : USUAL;
}

/** One IPv6 customer has a whole network of addresses: its first 64 bits stand for it. */
function networkOf(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address;
}
