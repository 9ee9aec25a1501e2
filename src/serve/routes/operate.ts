import { Failure } from '../../contract/base/failure.ts';
import { present } from '../../contract/base/present.ts';
import { outputOf, type ServiceOperation } from '../../contract/operation.ts';
import { RECORDS } from '../../contract/records.ts';
import { joinPath, makeScratch, readTextFile, removeScratch } from '../../runtime/files/stores/blobs.ts';
import { decodeFields, jsonFields, type ReceivedParts } from '../../wire/decode.ts';
import { creditHeaders, measurementHeaders } from '../../wire/reply.ts';
import { essence } from '../../wire/response.ts';
import { authenticate } from '../http/auth.ts';
import { bodyChunks, readBody } from '../http/body.ts';
import { askForBody, type Exchange, type HttpAnswer, jsonAnswer } from '../http/exchange.ts';
import { inputName, type TakenFile, takeForm } from '../http/intake.ts';
import { type Hold, outOfCredits } from '../limits/charge.ts';
import type { Service } from '../service/service.ts';
import type { TaskOutput } from '../worker/messages.ts';

/** Unknown text fields that are still read, so that the error can name a misspelt one. */
const SPARE_FIELDS = 10;
/** File parts of a row without a maximum. */
const MOST_FILES = 1_000;
/** Bytes up to which a free request counts as small. */
const SMALL = 4 * 1024 * 1024;

/** `known`: values that the server supplies in place of the client. */
export async function operate(
  op: ServiceOperation,
  exchange: Exchange,
  service: Service,
  known: Readonly<Record<string, unknown>> = {},
): Promise<HttpAnswer> {
  const { store, clock, folders, metrics } = service;
  const key = await authenticate(exchange, service);
  if (op.disabled !== undefined) throw new Failure('unavailable', `${op.name} is disabled: ${op.disabled}`);
  if (op.local !== true) throw new Failure('unavailable', `${op.name} is not available on this server: ${op.local}`);
  const price = 'credits' in op.cost ? op.cost.credits : 0;
  const { headers } = exchange.incoming;
  const most = op.limits?.inputBytes ?? service.settings.upload_bytes;
  const bytes = Math.min(Number(headers['content-length'] ?? most), most);
  const isSmall = price === 0 && op.work !== 'render' && bytes <= SMALL;
  const leave = service.gate.enter({ account: key.account, bytes, isSmall });
  let folder: string | undefined;
  let hold: Hold | undefined;
  let release = () => {};
  try {
    if (price > 0) {
      const { available = 0 } = (await store.account(key.account, clock.now())) ?? {};
      if (available < price) throw outOfCredits(op, price, available);
    }
    // An output is about as large as its input.
    release = await service.disk.reserve(2 * bytes);
    folder = makeScratch(joinPath(folders.requests, exchange.id));
    const output = joinPath(folder, 'out');
    const { values: sent, files } = await takeInput(op, exchange, folder, service);
    const values = { ...sent, ...known };
    if (price > 0) hold = await service.holds.hold(op, price, key.account, exchange.id);
    const task = { kind: 'operation', name: op.name, limits: op.limits ?? {}, durable: false } as const;
    const made = await service.runner.run(
      { ...task, fields: values, files, folder, output },
      { signal: exchange.signal, owner: key.account, isSmall },
    );
    const remaining = (await store.account(key.account, clock.now()))?.available;
    const answer = await answerOf(op, values, made, { used: price, remaining }, output);
    const names = [...files.map((_, index) => inputName(index)), 'out'];
    const held = hold;
    return {
      ...answer,
      async after(isDelivered) {
        const charged = isDelivered ? price : 0;
        exchange.facts.credits = charged;
        try {
          await held?.settle(isDelivered);
          metrics.credits(charged);
        } finally {
          await cleanUp(folder, names, leave, release);
        }
      },
    };
  } catch (error) {
    try {
      await hold?.settle(false);
    } finally {
      await cleanUp(folder, [], leave, release);
    }
    throw error;
  }
}

/** `names`: the known files of the folder. */
async function cleanUp(
  folder: string | undefined,
  names: readonly string[],
  leave: () => void,
  release: () => void,
): Promise<void> {
  try {
    if (folder !== undefined) await removeScratch(folder, names);
  } finally {
    release();
    leave();
  }
}

/** The fields of a request and its files, which are in `folder`. */
export async function takeInput(op: ServiceOperation, exchange: Exchange, folder: string, service: Service) {
  const { headers } = exchange.incoming;
  askForBody(exchange);
  if (op.body !== 'multipart' && essence(headers['content-type']) === 'application/json') {
    const fields = jsonFields(op, await readBody(exchange, service));
    return { values: decodeFields(op, { fields, files: new Map() }), files: [] };
  }
  const most = Object.values(op.input).map((field) => (field.kind === 'files' ? (field.max ?? MOST_FILES) : 1));
  const limits = {
    inputBytes: op.limits?.inputBytes ?? service.settings.upload_bytes,
    // One more than the row takes, so that the error can tell the number.
    files: most.reduce((sum, count) => sum + count, 1),
    fields: Object.keys(op.input).length + SPARE_FIELDS,
  };
  const taken = await takeForm(headers, bodyChunks(exchange, service), folder, limits);
  const given: ReceivedParts = {
    fields: taken.fields.map(({ name, text }) => ({ name, value: text, isText: true })),
    files: countBy(taken.files),
  };
  return { values: decodeFields(op, given), files: taken.files };
}

function countBy(files: readonly TakenFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { field } of files) counts.set(field, (counts.get(field) ?? 0) + 1);
  return counts;
}

async function answerOf(
  op: ServiceOperation,
  values: Readonly<Record<string, unknown>>,
  made: TaskOutput,
  credits: { used: number; remaining: number | undefined },
  file: string,
): Promise<HttpAnswer> {
  const { output } = outputOf(op, values);
  const headers = {
    ...creditHeaders(present(credits)),
    ...(made.measurement === undefined ? {} : measurementHeaders(made.measurement)),
  };
  // Rows name a key of RECORDS; a contract test compares them. Some records, such as that of pdf-info, tell the credits.
  if (output.kind === 'record' && 'credits_remaining' in RECORDS[output.record as keyof typeof RECORDS].entries) {
    const record: unknown = JSON.parse((await readTextFile(file)) ?? '{}');
    return jsonAnswer(op.success, { ...(record as object), credits_remaining: credits.remaining }, headers);
  }
  return {
    status: op.success,
    headers: { 'Content-Type': made.mediaType, ...headers },
    body: { file, size: made.bytes },
  };
}
