import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../contract/base/ports.ts';
import { HttpFailure } from '../base/http-failure.ts';
import type { ServeSettings } from '../base/settings.ts';

/** Default requests a minute for clients on other machines. */
const DEFAULT_RATE = 600;
/** The most buckets. Only a client that makes up addresses causes more: the oldest are dropped. */
const MOST_BUCKETS = 50_000;
const MINUTE = 60_000;

type RateSettings = Pick<ServeSettings, 'key_rate' | 'address_rate' | 'mcp_rate' | 'proxies'>;

export type Rates = ReturnType<typeof createRates>;

/** Rate limits of keys and addresses: token buckets that refill in a minute. */
export function createRates({ key_rate, address_rate, mcp_rate, proxies }: RateSettings, clock: Clock) {
  const keys = new Map<string, Bucket>();
  const addresses = new Map<string, Bucket>();
  const askers = new Map<string, Bucket>();

  /** The client's address: the last one in X-Forwarded-For that is not one of our proxies. */
  function clientOf({ socket, headers }: IncomingMessage): string {
    const forwarded = proxies.length === 0 ? [] : String(headers['x-forwarded-for'] ?? '').split(',');
    const way = [...forwarded, socket.remoteAddress ?? ''].map((hop) => hop.trim().replace(/^::ffff:/, ''));
    while (way.length > 1 && proxies.includes(way.at(-1) ?? '')) way.pop();
    return way.at(-1) ?? '';
  }

  function count(buckets: Map<string, Bucket>, name: string, most: number | undefined, who: string): void {
    if (most === undefined) return;
    const now = clock.now();
    const { left, at } = buckets.get(name) ?? { left: most, at: now };
    const filled = Math.min(most, left + (Math.max(0, now - at) * most) / MINUTE);
    if (filled < 1) {
      const seconds = Math.max(1, Math.ceil(((1 - filled) * MINUTE) / most / 1000));
      throw new HttpFailure('rate_limited', `${who} may send ${most} requests a minute`, 429, {
        'Retry-After': String(seconds),
      });
    }
    // Keeps the map in order of use.
    buckets.delete(name);
    buckets.set(name, { left: filled - 1, at: now });
    const [oldest] = buckets.size > MOST_BUCKETS ? buckets.keys() : [];
    if (oldest !== undefined) buckets.delete(oldest);
  }

  return {
    /** Throws 429 when a key is over its rate. */
    countKey(id: string, incoming: IncomingMessage): void {
      count(keys, id, key_rate || defaultFor(clientOf(incoming)), 'this API key');
    },

    /** Throws 429 when an address is over its rate, whichever keys it uses. */
    countAddress(incoming: IncomingMessage): void {
      const client = clientOf(incoming);
      count(addresses, networkOf(client), address_rate || defaultFor(client), 'this address');
    },

    /** Throws 429 when an address sends too many messages to /mcp, which needs no key. Applies to this machine too. */
    countQuestions(incoming: IncomingMessage, questions: number): void {
      const network = networkOf(clientOf(incoming));
      for (let question = 0; question < questions; question += 1) count(askers, network, mcp_rate, 'one address');
    },
  };
}

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** No default limit for this machine: behind a local proxy all clients would be one address. */
function defaultFor(client: string): number | undefined {
  return /^127\.|^::1$/.test(client) ? undefined : DEFAULT_RATE;
}

/** An IPv6 customer has a /64, which counts as one address. */
function networkOf(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address;
}
