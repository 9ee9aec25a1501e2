import { createHash } from 'node:crypto';
import { Failure } from '../../contract/failure.ts';
import type { Fields } from '../../contract/field.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { compress } from '../../contract/operations/size.ts';
import { markdown } from '../../contract/operations/text.ts';
import { decodeFields, jsonFields } from '../../wire/decode.ts';
import { decodeValue } from '../../wire/form-value.ts';
import { plain } from '../../wire/plain.ts';
import { authenticate } from '../auth.ts';
import { readBody } from '../http/body.ts';
import { type Answer, askForBody, type Exchange, jsonAnswer } from '../http/exchange.ts';
import { mostJobs, tooManyJobs } from '../limits/queue.ts';
import type { Service } from '../service.ts';
import type { NewJob } from '../store/store.ts';
import { jobRecord } from './record.ts';
import { checkRedaction } from './redaction-options.ts';

/** 2,000 regions of a redaction are a third of it. */
const BODY_BYTES = 1024 * 1024;

/** The options of each workflow that has an engine: fields of the row that does the work, besides its file. */
const OPTIONS: Readonly<Record<string, Fields>> = {
  compress: withoutFile(compress.input),
  folder: withoutFile(compress.input),
  source_pack: { mode: markdown.input.mode },
};

export async function createJob(op: ServiceOperation, exchange: Exchange, service: Service): Promise<Answer> {
  const { store, clock, entropy, settings } = service;
  const { incoming } = exchange;
  const key = await authenticate(exchange, service);
  const leave = service.gate.enter({ account: key.account, bytes: BODY_BYTES, isSmall: true });
  let release = () => {};
  try {
    askForBody(exchange);
    const given = jsonFields(op, await readBody(exchange, service, BODY_BYTES));
    const input = decodeFields(op, { fields: given, files: new Map() });
    const wish = checkWish(op, input, service);
    // The upload and what is made of it. Promised until the row of the job says the same.
    release = await service.room.promise(2 * wish.inputBytes);
    const now = clock.now();
    const job: NewJob = {
      ...wish,
      id: `job_${entropy.token()}`,
      uploadId: `up_${entropy.token()}`,
      account: key.account,
      expiresAt: now + settings.upload_session_seconds * 1000,
      most: mostJobs(settings),
      idempotency: idempotencyOf(op, incoming.headers['idempotency-key'], wish),
    };
    const made = await store.createJob(job, now);
    service.room.forget();
    if (made === 'out_of_credits') {
      const { available = 0 } = (await store.account(key.account, now)) ?? {};
      const message = `${op.name} sets aside ${job.maxCredits} credits, ${available} are left`;
      throw new Failure('out_of_credits', message, { meta: { credits_remaining: available } });
    }
    if (made === 'busy') throw new TypeError('a workflow job stands beside others');
    if (made === 'other_request') {
      throw new Failure('unprocessable', 'this Idempotency-Key was used for another request; take a new one');
    }
    if (typeof made === 'string' && made !== 'created') throw tooManyJobs(made, settings);
    const found = made === 'created' ? await store.job(job.id) : made.existing;
    if (found === undefined) throw new TypeError('a job that was made is there');
    return jsonAnswer(op.success, await jobRecord(found, exchange, service));
  } finally {
    release();
    leave();
  }
}

type Wish = Pick<NewJob, 'workflow' | 'inputBytes' | 'options' | 'maxCredits'>;

/** What is asked for, held against what the workflow takes here. */
function checkWish(op: ServiceOperation, input: Record<string, unknown>, { workflows }: Service): Wish {
  const { workflow, inputBytes, maxCredits, options = {} } = input as unknown as Wish; // read by the row's schemas
  const bounds = Object.hasOwn(workflows, workflow) ? workflows[workflow] : undefined;
  if (bounds === undefined) {
    const known = Object.keys(workflows).join(', ');
    throw new Failure('usage', `${op.name}: unknown workflow '${plain(workflow)}'; expected ${known}`);
  }
  const isRedaction = workflow === 'redaction';
  const fields = Object.hasOwn(OPTIONS, workflow) ? OPTIONS[workflow] : undefined;
  if (fields === undefined && !isRedaction)
    throw new Failure('unavailable', `${workflow} has no engine on this server yet`);
  if (inputBytes > bounds.inputBytes) {
    const message = `${workflow}: expected at most ${bounds.inputBytes} bytes of input, found ${inputBytes}`;
    throw new Failure('too_large', message, { kind: 'limit' });
  }
  const [least, most] = bounds.credits;
  if (maxCredits < least || maxCredits > most) {
    const expected = least === most ? `exactly ${least}` : `${least} to ${most}`;
    throw new Failure('usage', `${workflow}: expected maxCredits of ${expected}, found ${maxCredits}`);
  }
  const checked = fields === undefined ? checkRedaction(options) : checkOptions(workflow, fields, options);
  return { workflow, inputBytes, maxCredits, options: checked };
}

function checkOptions(workflow: string, fields: Fields, options: Readonly<Record<string, unknown>>) {
  const issues: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const decoded = field === undefined ? undefined : decodeValue(field, value);
    if (decoded === undefined)
      issues.push(`unknown option '${plain(name)}'; expected ${Object.keys(fields).join(', ')}`);
    else if ('issue' in decoded) issues.push(`options.${name}: ${decoded.issue}`);
    else values[name] = decoded.value;
  }
  if (workflow === 'source_pack' && values.mode !== undefined && values.mode !== 'rag') {
    issues.push(`options.mode: a source pack needs mode rag, found ${String(values.mode)}`);
  }
  if (issues.length > 0) throw new Failure('usage', `${workflow}: ${issues.join('; ')}`);
  return values;
}

function idempotencyOf(op: ServiceOperation, key: string | string[] | undefined, wish: Wish): NewJob['idempotency'] {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new Failure('usage', `${op.name}: expected an Idempotency-Key of 1 to 255 ASCII characters`);
  }
  return { key, requestHash: createHash('sha256').update(canonical(wish)).digest('hex') };
}

/** The same text for the same request, in whatever order its members came. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

function withoutFile<const F extends Fields>(fields: F): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, field]) => field.kind !== 'file' && field.kind !== 'files'),
  );
}
