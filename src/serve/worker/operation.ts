import type { Engine } from '../../contract/engine.ts';
import { Failure } from '../../contract/failure.ts';
import { JSON_TYPE, ZIP } from '../../contract/media.ts';
import { type AnyOperation, type Limits, outputOf, type ServiceOperation } from '../../contract/operation.ts';
import { SERVICE_OPERATIONS } from '../../contract/operations.ts';
import type { ByteSource, Context, PartsResult, RandomAccess, Result } from '../../contract/ports.ts';
import { moveBlob } from '../../runtime/files/blobs.ts';
import { draftPath, pathOfDraft } from '../../runtime/files/drafts.ts';
import { fileSource } from '../../runtime/files/file-source.ts';
import { sha256 } from '../../runtime/files/hash.ts';
import { placeFile } from '../../runtime/files/place.ts';
import { writeZip } from '../../runtime/files/zip.ts';
import type { Workspace } from '../../runtime/folders/workspace.ts';
import { inflatedSize } from '../../wire/zip-entries.ts';
import type { Made, MeasureTask, OperationTask, Task } from './messages.ts';

/** What a task works with. */
export interface Work {
  readonly engine: Engine;
  readonly ctx: Context;
  readonly workspace: Workspace;
  /** Left out where nothing is spoken. */
  readonly measure?: Measure | undefined;
}

/** Minutes that something would be spoken. Throws where it is more than the row's limits allow. */
export type Measure = (
  op: ServiceOperation,
  input: Readonly<Record<string, unknown>>,
  ctx: Context,
) => Promise<NonNullable<Made['speech']>>;

export function runOperation(task: OperationTask, work: Work): Promise<Made> {
  return runRow(rowNamed(task.name, task.limits), task, work);
}

/** Any row of the local engine; `op` has the limits of this server. */
export async function runRow(op: AnyOperation, task: Task, work: Work): Promise<Made> {
  const input = { ...task.fields, ...openFiles(op, task, work.workspace) };
  // The surface has read the fields by the row's schemas, and the files by their names in the row.
  const result: Result = await work.engine.call(op, input as never, work.ctx);
  return place(result, op, input, task, work);
}

/** The row of a name, with the limits of this server. */
export function rowNamed(name: string, limits: Limits): ServiceOperation {
  const row = SERVICE_OPERATIONS.find((op) => op.name === name);
  if (row === undefined) throw new TypeError(`there is no operation named ${name}`);
  return { ...row, limits };
}

/** Limits are held and minutes counted, as they will be when the work is done; nothing is made. */
export async function measure(task: MeasureTask, work: Work): Promise<Made> {
  const op = rowNamed(task.name, task.limits);
  const input = { ...task.fields, ...openFiles(op, task, work.workspace) };
  if (work.measure === undefined) throw new Failure('unavailable', `${op.name} is not available on this server`);
  return { mediaType: JSON_TYPE, bytes: 0, speech: await work.measure(op, input, work.ctx) };
}

export function openSource(path: string, name: string, workspace: Workspace): RandomAccess {
  return fileSource(workspace.descriptors.open(path, name), workspace.descriptors);
}

function openFiles(op: AnyOperation, { files }: Task, workspace: Workspace): Record<string, unknown> {
  const opened: Record<string, ByteSource | ByteSource[]> = {};
  for (const { field, path, name } of files) {
    const source = openSource(path, name, workspace);
    if (op.input[field]?.kind !== 'files') opened[field] = source;
    else opened[field] = [...((opened[field] as ByteSource[] | undefined) ?? []), source]; // a files field holds a list
  }
  return opened;
}

async function place(
  result: Result,
  op: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  task: Task,
  { ctx }: Work,
): Promise<Made> {
  const { output } = outputOf(op, input);
  const warnings = result.warnings?.length ? { warnings: result.warnings } : {};
  if (result.kind === 'record' || result.kind === 'job') {
    const body = written('record.json', JSON.stringify(result.record), ctx);
    return { ...(await placed(body, task, ctx)), mediaType: output.mediaType, ...warnings };
  }
  const body = result.kind === 'bytes' ? onDisk(result.body) : await zipped(result, ctx);
  const limit = op.limits?.outputBytes ?? Number.POSITIVE_INFINITY;
  if (body.size > limit) {
    const message = `${op.name}: expected at most ${limit} bytes of output, found ${body.size}`;
    throw new Failure('too_large', message, { kind: 'limit' });
  }
  await holdDerivatives(op, input, body, output.mediaType);
  return {
    ...(await placed(body, task, ctx)),
    // What a job makes is not what its creation is answered with.
    mediaType: output.kind === 'job' && result.kind === 'bytes' ? result.mediaType : output.mediaType,
    ...(result.kind === 'bytes' && result.pages !== undefined ? { pages: result.pages } : {}),
    ...(result.kind === 'bytes' && result.measurement !== undefined ? { measurement: result.measurement } : {}),
    ...(result.kind === 'bytes' && result.details !== undefined ? { details: result.details } : {}),
    ...warnings,
  };
}

/** What an archive may hold when it is unpacked, such as a source pack's 8 MiB. */
async function holdDerivatives(
  op: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  body: RandomAccess,
  mediaType: string,
): Promise<void> {
  const bound = (op.limits?.when ?? []).find(({ field, value }) => input[field] === value)?.derivativeBytes;
  if (bound === undefined || mediaType !== ZIP) return;
  const found = await inflatedSize(body);
  if (found <= bound) return;
  const message = `${op.name}: expected at most ${bound} bytes of derived files, found ${found}`;
  throw new Failure('too_large', message, { kind: 'limit' });
}

/** Text as a finished draft. */
export function written(name: string, text: string, ctx: Context): RandomAccess {
  const draft = ctx.temp.create(name);
  draft.write(Buffer.from(text));
  return draft.finish();
}

async function copied(source: RandomAccess, ctx: Context): Promise<RandomAccess> {
  const draft = ctx.temp.create('the input as the output');
  for await (const chunk of source.open(ctx.signal)) draft.write(chunk);
  return draft.finish();
}

async function zipped(result: PartsResult, ctx: Context): Promise<RandomAccess> {
  const draft = ctx.temp.create('archive.zip');
  await writeZip(
    result.parts.map(({ name, body }) => ({ name, body: onDisk(body) })),
    draft,
    ctx.signal,
  );
  return draft.finish();
}

/** Puts what an operation made under the output's name. It may be one of the inputs, such as a PDF that cannot shrink: those stay. */
export async function placed(
  body: RandomAccess,
  task: Task,
  ctx: Context,
): Promise<{ bytes: number; sha256?: string }> {
  const { size } = body;
  const path = draftPath(body) ?? pathOfDraft(await copied(body, ctx));
  if (!task.durable) {
    await moveBlob(path, task.output);
    return { bytes: size };
  }
  const hash = await sha256(body, ctx.signal);
  await placeFile(path, { kind: 'file', path: task.output, name: 'the output' });
  return { bytes: size, sha256: hash };
}

/** The local engine answers with drafts, which can be read at any place. */
export function onDisk(source: ByteSource): RandomAccess {
  const { size, read } = source;
  if (size === undefined || read === undefined) throw new TypeError(`${source.name} is not on disk`);
  return source as RandomAccess; // just checked: size and read are there
}
