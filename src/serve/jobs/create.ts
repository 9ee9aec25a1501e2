import { createHash } from 'node:crypto';
import { atEnd } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { Values } from '../../contract/base/ports.ts';
import { isRecord } from '../../contract/base/present.ts';
import type { Fields } from '../../contract/field.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import { compress } from '../../contract/operations/size/compress.ts';
import { assertJobSteps, priceOfSteps, readStepList, wrongStep } from '../../contract/operations/steps.ts';
import { markdown } from '../../contract/operations/text.ts';
import { decodeFields, issueList, jsonFields, unknownIssues } from '../../wire/decode.ts';
import { decodeValue } from '../../wire/form-value.ts';
import { JSON_BYTES } from '../../wire/json.ts';
import { plain } from '../../wire/plain.ts';
import { authenticate } from '../http/auth.ts';
import { readBody } from '../http/body.ts';
import { askForBody, type Exchange, type HttpAnswer, jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';
import type { NewJob } from '../store/jobs.ts';
import { addJob } from './add-job.ts';
import { jobRecord } from './record.ts';
import { checkRedaction } from './redaction-options.ts';

/** The options of each workflow: its row's fields except the file. */
const OPTIONS: Readonly<Record<string, Fields>> = {
  compress: withoutFile(compress.input),
  folder: withoutFile(compress.input),
  source_pack: { mode: markdown.input.mode },
};

export async function createWorkflow(op: ServiceOperation, exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const { entropy } = service;
  const key = await authenticate(exchange, service);
  using _place = atEnd(service.gate.enter({ account: key.account, bytes: JSON_BYTES, isSmall: true }));
  askForBody(exchange);
  const given = jsonFields(op, await readBody(exchange, service));
  const input = decodeFields(op, { fields: given, files: new Map() });
  const asked = checkRequest(op, input, service);
  // For the upload and the output. Once the job has a row, its bytes are counted there.
  using _room = atEnd(await service.disk.reserve(2 * asked.inputBytes));
  const idempotency = idempotencyOf(op, exchange.incoming.headers['idempotency-key'], asked);
  const ids = { id: `job_${entropy.token()}`, uploadId: `up_${entropy.token()}` };
  const job = await addJob(op, { ...asked, ...ids, account: key.account, idempotency }, service);
  return jsonAnswer(op.success, await jobRecord(job, exchange, service));
}

type JobRequest = Pick<NewJob, 'workflow' | 'inputBytes' | 'options' | 'maxCredits'>;

/** Checks a request against the limits of its workflow. */
function checkRequest(op: ServiceOperation, input: Record<string, unknown>, service: Service): JobRequest {
  const { workflows, rows } = service;
  const { workflow, inputBytes, maxCredits, options = {} } = input as unknown as JobRequest; // read by the row's schemas
  const bounds = Object.hasOwn(workflows, workflow) ? workflows[workflow] : undefined;
  if (bounds === undefined) {
    const known = Object.keys(workflows).join(', ');
    throw new Failure('usage', `${op.name}: unknown workflow '${plain(workflow)}'; expected ${known}`);
  }
  if (inputBytes > bounds.inputBytes) {
    const message = `${workflow}: expected at most ${bounds.inputBytes} bytes of input, found ${inputBytes}`;
    throw new Failure('too_large', message, { kind: 'limit' });
  }
  const [least, most] = bounds.credits;
  if (maxCredits < least || maxCredits > most) {
    const expected = least === most ? `exactly ${least}` : `${least} to ${most}`;
    throw new Failure('usage', `${workflow}: expected maxCredits of ${expected}, found ${maxCredits}`);
  }
  return { workflow, inputBytes, maxCredits, options: checkedOptions(workflow, options, maxCredits, rows) };
}

function checkedOptions(
  workflow: string,
  options: Values,
  maxCredits: number,
  rows: readonly ServiceOperation[],
): Record<string, unknown> {
  if (workflow === 'redaction') return checkRedaction(options);
  if (workflow === 'steps') return checkSteps(options, maxCredits, rows);
  const fields = Object.hasOwn(OPTIONS, workflow) ? OPTIONS[workflow] : undefined;
  if (fields !== undefined) return checkOptions(workflow, fields, options);
  throw new Failure('unavailable', `${workflow} has no engine on this server yet`);
}

/** Throws where this server lacks a step, a step cannot be part of a job, or the budget is too small. */
function checkSteps(options: Values, maxCredits: number, rows: readonly ServiceOperation[]): Record<string, unknown> {
  const steps = readStepList(options, 'steps');
  const missing = steps.findIndex(({ op }) => {
    const row = rows.find(({ name }) => name === op.name);
    return row?.local !== true || row.disabled !== undefined;
  });
  if (missing >= 0) throw wrongStep('steps', missing, 'this server does not offer it');
  assertJobSteps(steps, 'steps');
  const price = priceOfSteps(steps);
  if (price <= maxCredits) return { ...options };
  throw new Failure('usage', `steps: they cost ${price} credits, and maxCredits is ${maxCredits}`);
}

function checkOptions(workflow: string, fields: Fields, options: Values) {
  const given = Object.entries(options).map(([name, value]) => ({ name, value }));
  const issues = unknownIssues('option', given, fields);
  const values: Record<string, unknown> = {};
  for (const { name, value } of given) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) continue;
    const decoded = decodeValue(field, value);
    if ('issue' in decoded) issues.push(`options.${name}: ${decoded.issue}`);
    else values[name] = decoded.value;
  }
  if (workflow === 'source_pack' && values.mode !== undefined && values.mode !== 'rag') {
    issues.push(`options.mode: a source pack needs mode rag, found ${String(values.mode)}`);
  }
  if (issues.length > 0) throw new Failure('usage', `${workflow}: ${issueList(issues)}`);
  return values;
}

function idempotencyOf(
  op: ServiceOperation,
  key: string | string[] | undefined,
  asked: JobRequest,
): NewJob['idempotency'] {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw new Failure('usage', `${op.name}: expected an Idempotency-Key of 1 to 255 ASCII characters`);
  }
  return { key, requestHash: createHash('sha256').update(canonical(asked)).digest('hex') };
}

/** JSON with sorted members: equal requests give equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

function withoutFile(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, { kind }]) => kind !== 'file' && kind !== 'files'));
}
