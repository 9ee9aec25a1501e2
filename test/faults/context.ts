import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/contract/base/failure.ts';
import type { ByteSource, Context, Draft, Progress, RandomAccess } from '../../src/contract/base/ports.ts';
import type { RemoteSettings } from '../../src/remote/settings.ts';

export interface TestContext extends Context {
  /** Milliseconds that each sleep asked for. */
  readonly sleeps: number[];
  readonly details: string[];
  readonly events: Progress[];
  /** Names of drafts that were finished. */
  readonly finished: string[];
}

export function createContext(signal: AbortSignal = new AbortController().signal, onDetail?: () => void): TestContext {
  const sleeps: number[] = [];
  const details: string[] = [];
  const events: Progress[] = [];
  const finished: string[] = [];
  const names = new Set<string>();
  return {
    signal,
    sleeps,
    details,
    events,
    finished,
    clock: {
      now: () => Date.now(),
      async sleep(milliseconds, stop) {
        sleeps.push(milliseconds);
        await sleep(milliseconds / 1000, undefined, { signal: stop });
      },
    },
    temp: {
      create(name): Draft {
        if (names.has(name)) throw new TypeError(`a draft named ${name} was made already`);
        names.add(name);
        let chunks: Uint8Array[] = [];
        return {
          name,
          get size() {
            return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
          },
          write: (bytes) => void chunks.push(Uint8Array.from(bytes)),
          finish: () => {
            finished.push(name);
            return bytesSource(name, Buffer.concat(chunks));
          },
          discard: () => {
            chunks = [];
            names.delete(name);
          },
        };
      },
    },
    progress: (event) => void events.push(event),
    detail(line) {
      details.push(line);
      onDetail?.();
    },
  };
}

/** Bytes in memory as a source with random access. */
export function bytesSource(name: string, bytes: Uint8Array | string): RandomAccess {
  const data = Buffer.from(bytes);
  return {
    name,
    size: data.length,
    read: (into, position) => data.copy(into, 0, position),
    async *open(signal) {
      for (let at = 0; at < data.length; at += 64 * 1024) {
        signal.throwIfAborted();
        yield data.subarray(at, at + 64 * 1024);
      }
    },
  };
}

export async function textOf(source: ByteSource): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.open(new AbortController().signal)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

export const KEY = 'sk_test_0123456789abcdefWXYZ';

export function settingsFor(baseUrl: string | undefined, more: Partial<RemoteSettings> = {}): RemoteSettings {
  return {
    baseUrl,
    apiKey: KEY,
    entropy: { fraction: Math.random, token: () => crypto.randomUUID().replaceAll('-', '') },
    ...more,
  };
}

/** The Failure a promise rejects with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => new Error('it worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw error;
  return error;
}
