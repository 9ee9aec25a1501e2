/** One call of a tool that stands for a row: arguments opened, the engine called, the result put in place. */
import { Failure } from '../contract/failure.ts';
import { JSON_TYPE, TEXT } from '../contract/media.ts';
import { type Output, outputOf } from '../contract/operation.ts';
import type { ByteSource, Context, RecordResult, Result } from '../contract/ports.ts';
import { checkInput } from '../flow/checks.ts';
import { estimatePrice } from '../flow/price.ts';
import { beginSpeech } from '../flow/speech-job.ts';
import { type Asked, readArguments, type Shape } from './arguments.ts';
import { type Delivery, placeBytes, placeParts, placeText, refuseTaken } from './outputs.ts';
import { spend } from './paid.ts';
import { type Answer, type Call, type Given, isFileField, type Placed, type Workbench } from './tool.ts';

/** Longer answers fill the memory of an agent with one call: they go to a file. */
const MOST_CHARACTERS = 60_000;
const PREVIEW = 2_000;

export async function callRow(name: string, shape: Shape, given: Given, call: Call, bench: Workbench): Promise<Answer> {
  const { op } = shape;
  const { sandbox } = bench;
  const engine = bench.engineFor(op);
  const why = engine.refuses(op);
  if (why !== undefined) throw refused(name, why, engine.name, op.disabled !== undefined);
  const asked = readArguments(shape, given);
  const workspace = sandbox.workspace();
  const closing: (() => void)[] = [() => workspace.close()];
  try {
    const { input: files, names } = openFiles(shape, asked, bench, workspace);
    const { output } = outputOf(op, asked.values);
    // A job of the service has no output yet.
    const makesFile = output.kind !== 'record' && !(output.kind === 'job' && engine.name === 'remote');
    const delivery = (fallback: string, signal: AbortSignal): Delivery => {
      const place = sandbox.place(asked.output, fallback, asked.overwrite && shape.overwrite);
      closing.push(() => place.folder.close());
      return { place, named: asked.output !== undefined, workspace, signal };
    };
    const early =
      makesFile || asked.output !== undefined
        ? delivery(bench.outputName(output, names[0], asked.values), call.signal)
        : undefined;
    if (early !== undefined) refuseTaken(early, typesOf(output));
    const ctx: Context = {
      signal: call.signal,
      clock: bench.clock,
      temp: workspace.temp({
        parent: early?.place.folder.path,
        name: early?.place.name ?? name,
        together: output.kind === 'parts' && early !== undefined && !/\.zip$/i.test(early.place.name),
      }),
      password: async (_, attempt) => (attempt === 1 ? asked.password : undefined),
      ...bench.helpers,
      progress: (event) => call.progress(event),
      detail: () => {},
    };
    const pages = await bench.resolvePages(op, asked.pages, Object.values(files).flat()[0], engine.name, ctx);
    const input = { ...asked.values, ...files, ...pages };
    if (output.kind === 'job' && engine.name === 'remote')
      return await beginJob(name, shape, given, asked, input, names, ctx, call, bench);
    // The row says what its input is; every value was checked against its schema.
    const run = (inner: Context): Promise<Result> => engine.call(op, input as never, inner);
    const price = await estimatePrice(op, input, ctx, bench.probe);
    if (engine.name === 'local' || price.credits === 0) {
      const result = await run(ctx);
      call.signal.throwIfAborted();
      return await answerOf(result, output, shape, early, () =>
        delivery(bench.outputName(output, names[0], input), call.signal),
      );
    }
    const failed = (await checkInput(op, input, ctx, bench.probe)).find(({ failure }) => failure !== undefined);
    if (failed?.failure !== undefined) throw failed.failure;
    return await spend({ tool: name, given, price, most: asked.most }, call, bench, async (signal, reserve) => {
      reserve();
      const result = await run({ ...ctx, signal });
      const placed = early === undefined ? undefined : { ...early, signal };
      const answer = await answerOf(result, output, shape, placed, () =>
        delivery(bench.outputName(output, names[0], input), signal),
      );
      return { answer, used: result.credits?.used };
    });
  } finally {
    for (const close of closing) close();
  }
}

function openFiles(
  { op }: Shape,
  { files }: Asked,
  { sandbox }: Workbench,
  workspace: ReturnType<Workbench['sandbox']['workspace']>,
): { input: Record<string, ByteSource | ByteSource[]>; names: string[] } {
  const input: Record<string, ByteSource | ByteSource[]> = {};
  const names: string[] = [];
  for (const [name, field] of Object.entries(op.input)) {
    const given = files[name];
    if (given === undefined || !isFileField(field)) continue;
    const { types } = field as { types: readonly string[] }; // just looked at
    const opened = given.map((each) => sandbox.source(each, types, workspace));
    names.push(...opened.map(({ path }) => path));
    const sources = opened.map(({ source }) => source);
    const [first] = sources;
    if (field.kind === 'files') input[name] = sources;
    else if (first !== undefined) input[name] = first;
  }
  return { input, names };
}

async function answerOf(
  result: Result,
  output: Output,
  { op, engine }: Shape,
  delivery: Delivery | undefined,
  later: () => Delivery,
): Promise<Answer> {
  const told = {
    operation: op.name,
    engine,
    ...(result.credits === undefined ? {} : { credits: result.credits }),
    ...(result.warnings?.length ? { warnings: result.warnings } : {}),
  };
  switch (result.kind) {
    case 'bytes': {
      const { body, mediaType, pages, measurement } = result;
      const file = await placeBytes(body, { mediaType, pages }, delivery ?? later());
      return {
        record: { ok: true, ...told, ...fileRecord(file), ...(measurement === undefined ? {} : { measurement }) },
        files: [file],
      };
    }
    case 'parts': {
      const { path, files } = await placeParts(result, delivery ?? later());
      const pages = files.every((file) => file.pages !== undefined)
        ? { pages: sum(files.map((file) => file.pages ?? 0)) }
        : {};
      const bytes = sum(files.map((file) => file.bytes));
      return { record: { ok: true, ...told, path, bytes, ...pages, files: files.map(fileRecord) }, files };
    }
    case 'record':
      return recordAnswer(result, told, output, delivery, later);
    case 'job':
      return { record: { ok: true, ...told, ...result.record } };
  }
}

/** A record as it is, or where it was put. */
async function recordAnswer(
  { record }: RecordResult,
  told: object,
  output: Output,
  delivery: Delivery | undefined,
  later: () => Delivery,
): Promise<Answer> {
  const whole = { ok: true, ...record, ...told };
  const key = output.kind === 'record' ? output.text : undefined;
  const text = key === undefined ? undefined : record[key];
  const isLong = JSON.stringify(whole).length > MOST_CHARACTERS;
  if (delivery === undefined && !isLong) return { record: whole };
  const wantsJson = delivery?.named === true && /\.json$/i.test(delivery.place.name);
  const [body, type] =
    typeof text === 'string' && !wantsJson ? [text, TEXT] : [`${JSON.stringify(record, undefined, 2)}\n`, JSON_TYPE];
  const file = await placeText(body, type, delivery ?? later());
  const facts = Object.entries(record).filter(([, value]) => typeof value === 'number' || typeof value === 'boolean');
  const start =
    typeof record.markdown === 'string' ? record.markdown : typeof record.text === 'string' ? record.text : body;
  return {
    record: { ...Object.fromEntries(facts), ok: true, ...told, ...fileRecord(file), preview: start.slice(0, PREVIEW) },
    files: [file],
  };
}

/** Has the service begin a job; a job of the same file that is under way is found again and not begun twice. */
async function beginJob(
  name: string,
  { op }: Shape,
  given: Given,
  asked: Asked,
  input: Record<string, unknown>,
  names: readonly string[],
  ctx: Context,
  call: Call,
  bench: Workbench,
): Promise<Answer> {
  const desk = await bench.desk();
  const price = await estimatePrice(op, input, ctx, bench.probe);
  const [path = ''] = names;
  const { file, ...fields } = input;
  const ask = {
    kind: 'speech',
    operation: op.name,
    files: [bench.identify(file as Parameters<Workbench['identify']>[0], path)], // openFiles has opened it
    fields,
    credits: price.credits,
  } as const;
  const failed = (await checkInput(op, input, ctx, bench.probe)).find(({ failure }) => failure !== undefined);
  if (failed?.failure !== undefined) throw failed.failure;
  return spend({ tool: name, given, price, most: asked.most }, call, bench, async (signal, reserve) => {
    // Only what is sent is paid for: a job that is found again costs nothing more.
    const { entry, found } = await beginSpeech(desk, op, input, ask, false, async () => reserve(), { ...ctx, signal });
    const answer = {
      record: {
        ok: true,
        operation: op.name,
        engine: 'remote',
        job_id: entry.job_id ?? entry.id,
        status: entry.status ?? 'queued',
        credits_estimated: entry.credits ?? price.credits,
        ...(found ? { warnings: ['this file was sent before with the same settings; that job goes on'] } : {}),
      },
    };
    return { answer, used: found ? 0 : undefined };
  });
}

export function fileRecord({ mediaType, ...file }: Placed): Record<string, unknown> {
  return { ...file, media_type: mediaType };
}

/** The types that an output of this kind may have, where its name is to show them. */
function typesOf(output: Output): readonly string[] {
  if (output.kind === 'bytes') return [output.mediaType];
  if (output.kind === 'record') return [JSON_TYPE, ...(output.text === undefined ? [] : [TEXT])];
  return [];
}

function refused(name: string, why: string, engine: 'local' | 'remote', disabled: boolean): Failure {
  const other =
    engine === 'local' ? 'for the service, with an API key and a base URL,' : 'for this machine, with --local,';
  return new Failure('unavailable', `${name} is not available here: ${why}`, {
    hint: disabled
      ? 'Nobody has it now.'
      : `Tools that a person starts ${other} may have it. first_run_checklist says how these are set up.`,
  });
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
