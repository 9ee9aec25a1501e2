/** Runs one call of a tool that stands for a row: reads arguments, runs the row, and writes the answer for the agent. */

import { Failure } from '../contract/base/failure.ts';
import type { RecordResult, Result } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import { ANY, JSON_TYPE, TEXT, typeNamed } from '../contract/media.ts';
import { type Output, outputOf } from '../contract/operation.ts';
import { resolvePageFields } from '../contract/page-fields.ts';
import { assertAllowed } from '../flow/checks.ts';
import { estimatePrice, type Price } from '../flow/price.ts';
import { beginSpeech } from '../flow/speech-job.ts';
import { placeText, type ResultPlacement, type WrittenFile } from '../runtime/rows/place-result.ts';
import { callRow as callOpened, type OpenRow, openRow, type RowDone } from '../runtime/rows/run-row.ts';
import { type ReadArguments, readArguments } from './arguments.ts';
import { placementAt, refuseName } from './outputs.ts';
import { spend } from './paid.ts';
import { contextOf, type PlacedFile, type ToolAnswer, type ToolCall } from './tool.ts';

/** A longer answer would fill an agent's memory with one call: it goes to a file. */
const MOST_CHARACTERS = 60_000;
const PREVIEW = 2_000;

export async function callTool(tool: ToolCall): Promise<ToolAnswer> {
  const { shared, shape } = tool;
  const { op } = shape;
  const engine = shared.engineFor(op);
  const why = engine.refuses(op);
  if (why !== undefined) throw refused(tool.name, why, engine.name, op.disabled !== undefined);
  const workspace = shared.sandbox.workspace();
  const closing: (() => void)[] = [() => workspace.close()];
  const asked = readArguments(shape, tool.given);
  const { output } = outputOf(op, asked.values);
  /** Where the output goes; its folder is held open until the call ends. */
  const placement = (files: readonly string[], values: ReadArguments['values']): ResultPlacement => {
    const name = shared.outputName(output, files[0], values);
    const place = shared.sandbox.place(asked.output, name, asked.overwrite && shape.overwrite);
    closing.push(() => place.folder.close());
    return placementAt(place, workspace, tool.signal);
  };
  // A job of the service has no output yet.
  const isJob = output.kind === 'job' && engine.name === 'remote';
  const makesFile = output.kind !== 'record' && !isJob;
  try {
    const row = await openRow({
      op,
      engine,
      workspace,
      signal: tool.signal,
      values: asked.values,
      files: asked.files,
      inputs: { from: 'sandbox', sandbox: shared.sandbox },
      placement({ names }) {
        if (!makesFile && asked.output === undefined) return undefined;
        const early = placement(names, asked.values);
        if (early.to.kind === 'held' && asked.output !== undefined) refuseName(early.to.place, typesOf(output));
        return early;
      },
      context: (temp) => ({
        ...shared.means,
        ...contextOf(tool, temp),
        password: async (_, attempt) => (attempt === 1 ? asked.password : undefined),
      }),
      complete: ({ sources: [first] }, ctx) =>
        resolvePageFields(op, asked.pages, first, engine.name, ctx, shared.countPages),
    });
    if (isJob) return await beginJob(tool, asked, row);
    const answer = (done: RowDone, signal: AbortSignal) =>
      answerOf(done, { tool, output, placed: row.placed }, () => ({
        ...(row.placed ?? placement(row.opened.names, row.input)),
        signal,
      }));
    const price = await estimatePrice(op, row.input, row.ctx, shared.probe);
    if (engine.name === 'local' || price.credits === 0) return await answer(await callOpened(row), tool.signal);
    await assertAllowed(op, row.input, row.ctx, shared.probe);
    const charge = { tool: tool.name, given: tool.given, price, most: asked.most };
    return await spend(charge, tool, async (signal, reserve) => {
      reserve();
      const done = await callOpened(row, signal);
      return { answer: await answer(done, signal), used: done.result.credits?.used };
    });
  } finally {
    for (const close of closing) close();
  }
}

interface Answering {
  readonly tool: ToolCall;
  readonly output: Output;
  /** Where the output went; undefined where none was asked for. */
  readonly placed: ResultPlacement | undefined;
}

/** `file`: where a record goes that is too long for an answer. */
async function answerOf(
  { result, written }: RowDone,
  about: Answering,
  file: () => ResultPlacement,
): Promise<ToolAnswer> {
  const { shape } = about.tool;
  const told = {
    operation: shape.op.name,
    engine: shape.engine,
    ...present({ credits: result.credits, warnings: result.warnings?.length ? result.warnings : undefined }),
  };
  switch (result.kind) {
    case 'record':
      return recordAnswer(result, told, about, file);
    case 'job':
      return { record: { ok: true, ...told, ...result.record } };
    default:
      return fileAnswer(result, told, written);
  }
}

function fileAnswer(
  result: Exclude<Result, { kind: 'record' | 'job' }>,
  told: object,
  written: WrittenFile | undefined,
): ToolAnswer {
  if (written === undefined) throw new TypeError('a file has a place');
  if (result.kind === 'bytes') {
    const file = { ...written, mediaType: result.mediaType };
    const { measurement } = result;
    return { record: present({ ok: true, ...told, ...fileRecord(file), measurement }), files: [file] };
  }
  const files = (written.files ?? [written]).map((file) => ({ ...file, mediaType: typeNamed(file.path) ?? ANY }));
  const { path, bytes, pages } = written;
  return { record: present({ ok: true, ...told, path, bytes, pages, files: files.map(fileRecord) }), files };
}

/** Answers with the record, or the file that holds it: where the call names an output, or the record is too long. */
async function recordAnswer(
  { record }: RecordResult,
  told: object,
  { output, placed }: Answering,
  file: () => ResultPlacement,
): Promise<ToolAnswer> {
  const whole = { ok: true, ...record, ...told };
  const key = output.kind === 'record' ? output.text : undefined;
  const text = key === undefined ? undefined : record[key];
  const isLong = JSON.stringify(whole).length > MOST_CHARACTERS;
  if (placed === undefined && !isLong) return { record: whole };
  const wantsJson = placed?.to.kind === 'held' && typeNamed(placed.to.place.name) === JSON_TYPE;
  const [body, mediaType] =
    typeof text === 'string' && !wantsJson ? [text, TEXT] : [`${JSON.stringify(record, undefined, 2)}\n`, JSON_TYPE];
  const written = await placeText(body, mediaType, file());
  if (written === undefined) throw new TypeError('a file has a place');
  const placedFile = { ...written, mediaType };
  const facts = Object.entries(record).filter(([, value]) => typeof value === 'number' || typeof value === 'boolean');
  const start =
    typeof record.markdown === 'string' ? record.markdown : typeof record.text === 'string' ? record.text : body;
  const preview = start.slice(0, PREVIEW);
  return {
    record: { ...Object.fromEntries(facts), ok: true, ...told, ...fileRecord(placedFile), preview },
    files: [placedFile],
  };
}

/** Begins a job of the service; a running job of the same file is found again and not begun twice. */
async function beginJob(
  tool: ToolCall,
  asked: ReadArguments,
  { op, input, opened, ctx }: OpenRow,
): Promise<ToolAnswer> {
  const { shared, name, given } = tool;
  const ports = await shared.jobPorts();
  const price: Price = await estimatePrice(op, input, ctx, shared.probe);
  const [source] = opened.sources;
  if (source === undefined) throw new TypeError(`${op.name} takes a file`);
  const { file: _, ...fields } = input;
  const request = {
    kind: 'speech',
    operation: op.name,
    files: [shared.identify(source, opened.names[0] ?? '')],
    fields,
    credits: price.credits,
  } as const;
  await assertAllowed(op, input, ctx, shared.probe);
  return spend({ tool: name, given, price, most: asked.most }, tool, async (signal, reserve) => {
    // Only what is sent is paid for: a job that is found again costs nothing.
    const { entry, found } = await beginSpeech(ports, op, input, request, false, async () => reserve(), {
      ...ctx,
      signal,
    });
    const record = {
      ok: true,
      operation: op.name,
      engine: 'remote',
      job_id: entry.job_id ?? entry.id,
      status: entry.status ?? 'queued',
      credits_estimated: entry.credits ?? price.credits,
      ...(found ? { warnings: ['this file was sent before with the same settings; that job goes on'] } : {}),
    };
    return { answer: { record }, used: found ? 0 : undefined };
  });
}

export function fileRecord({ mediaType, ...file }: PlacedFile): Record<string, unknown> {
  return { ...file, media_type: mediaType };
}

/** Media types that an output of this kind may have. */
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
