// The operator's account area: keys, credits, usage by day, jobs, health. It exists only with an admin key.
import * as v from 'valibot';
import { Failure } from '../../contract/base/failure.ts';
import { parseJson } from '../../wire/json.ts';
import type { Route } from '../http/app.ts';
import { assertBearer } from '../http/auth.ts';
import { readBody } from '../http/body.ts';
import { askForBody, type Exchange, jsonAnswer } from '../http/exchange.ts';
import { findApiKey, grantCredits, isoTime, listKeys, makeKey } from '../service/operator.ts';
import type { Service } from '../service/service.ts';
import { assertOwnPage } from './tools.ts';

const DAY = 86_400_000;
/** Days of the chart. */
const DAYS = 30;
/** The most jobs listed. */
const MOST_JOBS = 100;
/** The largest request body. */
const MOST_BYTES = 4_096;

const NEW_KEY = v.strictObject({
  label: v.optional(v.pipe(v.string(), v.maxLength(200))),
  account: v.optional(v.pipe(v.string(), v.maxLength(100))),
});
const CREDITS = v.strictObject({ credits: v.number() });

export function adminRoutes(service: Service, adminKey: string): Route[] {
  const { store, clock, entropy } = service;
  const route = (method: Route['method'], path: string, answer: (exchange: Exchange) => Promise<object>): Route => ({
    method,
    path: `/admin${path}`,
    async handle(exchange) {
      assertOwnPage(exchange.incoming, service);
      assertBearer(adminKey, exchange.incoming, 'admin key');
      service.rates.countKey('admin', exchange.incoming);
      return jsonAnswer(200, { ok: true, ...(await answer(exchange)) });
    },
  });
  const read = async <T>(exchange: Exchange, schema: v.GenericSchema<unknown, T>): Promise<T> => {
    askForBody(exchange);
    const body = v.safeParse(schema, parseJson(await readBody(exchange, service, MOST_BYTES), 'the body'));
    if (body.success) return body.output;
    throw new Failure('usage', body.issues.map(({ message }) => message).join('; '));
  };
  return [
    route('GET', '/overview', async () => {
      const since = (Math.floor(clock.now() / DAY) - DAYS + 1) * DAY;
      const [keys, days, jobs, states] = await Promise.all([
        listKeys(store),
        store.usage(since),
        store.openJobs(MOST_JOBS),
        store.jobCounts(),
      ]);
      const creditsOn = (index: number) => days.find(({ day }) => day === since / DAY + index)?.credits ?? 0;
      return {
        version: service.version,
        health: await service.health(),
        keys,
        since: isoTime(since).slice(0, 10),
        use: Array.from({ length: DAYS }, (_, index) => creditsOn(index)),
        states,
        // Without options, which may hold redaction terms.
        jobs: jobs.map(({ id, account, workflow, state, createdAt, inputBytes, progress }) => {
          return { id, account, workflow, state, created_at: isoTime(createdAt), bytes: inputBytes, progress };
        }),
      };
    }),
    route('POST', '/keys', async (exchange) => {
      const { label = null, account } = await read(exchange, NEW_KEY);
      const { key, ...made } = await makeKey(store, { kind: 'live', label, account }, entropy, clock.now());
      return { ...made, api_key: key };
    }),
    route('POST', '/keys/:id/revoke', async ({ params }) => {
      const { id } = await findApiKey(store, params.id ?? '');
      return { id, revoked: await store.revokeKey(id, clock.now()) };
    }),
    route('POST', '/keys/:id/credits', async (exchange) => {
      const { credits } = await read(exchange, CREDITS);
      return grantCredits(store, exchange.params.id ?? '', String(credits), entropy, clock.now());
    }),
    route('POST', '/jobs/:id/cancel', async ({ params }) => {
      const id = params.id ?? '';
      if (await store.cancelJob(id, clock.now())) return { id, cancelled: true };
      throw new Failure('not_found', 'there is no unfinished job with this id');
    }),
  ];
}
