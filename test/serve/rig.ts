import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/contract/base/ports.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { describeApi } from '../../src/derive/openapi.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import { createLog } from '../../src/serve/base/log.ts';
import { readServeSettings, type ServeSettings } from '../../src/serve/base/settings.ts';
import { openStore } from '../../src/serve/data.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/serve/server.ts';
import { createKey } from '../../src/serve/service/keys.ts';
import { migrate, openPostgres } from '../../src/serve/store/postgres/store.ts';
import { folder, PROGRAM } from '../e2e/pdftool.ts';
import { describedBy } from './described.ts';

export interface Rig {
  readonly url: string;
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
  readonly data: string;
  readonly server: RunningServer;
  /** Every line of the log so far. */
  readonly lines: string[];
  /** Sends with the key, unless other headers say who asks. */
  send(path: string, init?: RequestInit): Promise<Response>;
  credits(): Promise<number>;
  /** Another account's key. */
  stranger(credits?: number): Promise<string>;
  close(): Promise<void>;
}

export interface RigOptions {
  readonly settings?: Partial<Record<keyof ServeSettings, unknown>>;
  readonly clock?: Clock;
  readonly more?: Partial<ServerOptions>;
  /** The address of an empty database, used in place of the folder. */
  readonly postgres?: string | undefined;
  /** The data folder, where it is not one of the usual temporary ones. */
  readonly at?: string;
}

/** The token that /metrics asks for. */
export const METRICS = 'metrics-of-the-tests';
export const FOR_METRICS = { headers: { Authorization: `Bearer ${METRICS}` } };

const WORKER = [process.execPath, PROGRAM, 'serve', 'worker'];

export async function startRig({
  settings = {},
  clock = systemClock,
  more = {},
  at,
  postgres,
}: RigOptions = {}): Promise<Rig> {
  const here = folder();
  const data = at ?? here.at('data');
  if (postgres !== undefined) await migrate(postgres, clock);
  const store =
    postgres === undefined ? await openStore(data, process.versions.node) : (await openPostgres(postgres, clock)).store;
  const made = await createKey(store, { kind: 'test', label: 'rig' }, systemEntropy, clock.now());
  await store.grant(made.account, 10_000, 'rig', clock.now());
  const lines: string[] = [];
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data,
    postgres,
    settings: readServeSettings(
      JSON.stringify({ workers: 1, job_workers: 1, metrics_token: METRICS, ...settings }),
      'test',
    ),
    worker: WORKER,
    database: [PROGRAM, 'serve', 'database'],
    version: '0.0.0-test',
    nodeVersion: process.versions.node,
    clock,
    entropy: systemEntropy,
    log: createLog((line) => void lines.push(line), clock),
    ...more,
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    key: made.key,
    keyId: made.id,
    account: made.account,
    data,
    server,
    lines,
    async send(path, init = {}) {
      const answer = await fetch(`${url}${path}`, { ...init, headers: { 'X-API-Key': made.key, ...init.headers } });
      await assertDescribed(init.method ?? 'GET', path, answer);
      return answer;
    },
    credits: async () => (await server.service.store.account(made.account, clock.now()))?.available ?? Number.NaN,
    async stranger(credits = 0) {
      const { key, account } = await createKey(server.service.store, { kind: 'live', label: null }, systemEntropy, 0);
      if (credits > 0) await server.service.store.grant(account, credits, 'stranger', clock.now());
      return key;
    },
    async close() {
      await server.stop();
      await store.close();
      rmSync(here.path, { recursive: true, force: true });
    },
  };
}

const { issues } = describedBy(describeApi(OPERATIONS));

/** Every answer that a test gets is one that openapi.json describes; an address that it does not name is not there. */
async function assertDescribed(method: string, path: string, answer: Response): Promise<void> {
  const [plain = ''] = path.split('?');
  const found = answer.body === null && answer.status >= 400 ? [] : await issues(method, plain, answer.clone());
  const unknown =
    [404, 405].includes(answer.status) && found.some((issue) => issue === `${method} ${plain} is not described`);
  if (found.length > 0 && !unknown) throw new Error(`not as openapi.json says: ${found.join('; ')}`);
}

/** A form with file parts, as browsers write them. */
export function form(
  files: Readonly<Record<string, Uint8Array | string>>,
  fields: Readonly<Record<string, string>> = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const [name, bytes] of Object.entries(files))
    body.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  return { method: 'POST', body };
}

/** Asks until the answer is no longer `undefined`. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined, milliseconds = 20_000): Promise<T> {
  for (const end = Date.now() + milliseconds; ; ) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`still not so after ${milliseconds} ms`);
    await sleep(20);
  }
}
