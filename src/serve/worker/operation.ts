import { Failure } from '../../contract/base/failure.ts';
import type { BytesResult, Context, RandomAccess, Values } from '../../contract/base/ports.ts';
import { present } from '../../contract/base/present.ts';
import type { Engine } from '../../contract/engine.ts';
import { JSON_TYPE, ZIP } from '../../contract/media.ts';
import { type AnyOperation, type Limits, outputOf, type ServiceOperation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations/all.ts';
import { info } from '../../contract/operations/pages/pages.ts';
import { type PagesGiven, resolvePageFields } from '../../contract/page-fields.ts';
import type { Workspace } from '../../runtime/files/outputs/workspace.ts';
import { placeResult, placeText, type ResultPlacement, type WrittenFile } from '../../runtime/rows/place-result.ts';
import { callRow, openRow, type RowRun } from '../../runtime/rows/run-row.ts';
import { inflatedSize } from '../../wire/zip-entries.ts';
import type { OperationTask, Task, TaskOutput } from './messages.ts';

export interface Work {
  readonly engine: Engine;
  readonly ctx: Context;
  readonly workspace: Workspace;
  /** Undefined where there is no speech. */
  readonly measure?: Measure | undefined;
}

/** The minutes of speech. Throws above the limits of the row. */
export type Measure = (op: ServiceOperation, input: Values, ctx: Context) => Promise<NonNullable<TaskOutput['speech']>>;

export function runOperation(task: OperationTask, work: Work): Promise<TaskOutput> {
  return runTaskRow(rowNamed(task.name, task.limits), task, work);
}

/** Runs a row of the local engine with this server's limits. `pages`: ranges, resolved when the file is open. */
export async function runTaskRow(
  op: AnyOperation,
  task: Task,
  work: Work,
  pages: Readonly<Record<string, PagesGiven>> = {},
): Promise<TaskOutput> {
  const { output } = outputOf(op, task.fields);
  const placement: ResultPlacement = {
    ...placementFor(task, work),
    placing: (file: WrittenFile, body: RandomAccess) => holdLimits(op, task, file, body),
  };
  const complete: RowRun['complete'] = ({ sources }, ctx) =>
    resolvePageFields(op, pages, sources[0], 'local', ctx, async (file) => {
      const { record } = await work.engine.call({ ...info, limits: {} }, { file }, ctx);
      return Number(record.page_count);
    });
  const done = await callRow(await openRow({ ...rowOf(op, task, work), placement: () => placement, complete }));
  const { result } = done;
  const isRecord = result.kind === 'record' || result.kind === 'job';
  // An HTML page that was asked for beside a record replaces it.
  const [page] = isRecord ? (result.also ?? []) : [];
  const written =
    page !== undefined
      ? await placeResult({ kind: 'bytes', ...page }, placement)
      : isRecord
        ? await placeText(JSON.stringify(result.record), JSON_TYPE, placement)
        : done.written;
  if (written === undefined) throw new TypeError('a task has an output');
  const { pages: pageCount, measurement, details } = result.kind === 'bytes' ? result : ({} as Partial<BytesResult>);
  return present({
    ...outputFacts(written),
    // The type of a job's result differs from that of its creation's answer.
    mediaType:
      page?.mediaType ?? (output.kind === 'job' && result.kind === 'bytes' ? result.mediaType : output.mediaType),
    pages: pageCount,
    measurement,
    details,
    warnings: result.warnings?.length ? result.warnings : undefined,
  });
}

function rowOf(op: AnyOperation, { fields, files }: Task, { engine, ctx, workspace }: Work): RowRun {
  const byField: Record<string, string[]> = {};
  for (const { field, path } of files) (byField[field] ??= []).push(path);
  return {
    op,
    engine,
    workspace,
    signal: ctx.signal,
    // The surface has parsed the fields by the row's schemas, and mapped the files to fields.
    values: fields,
    files: byField,
    inputs: { from: 'store', senderNames: new Map(files.map(({ path, name }) => [path, name])) },
    context: () => ctx,
  };
}

/** Where a task puts its output, which appears atomically and is synced where it must be durable. */
export function placementFor({ output, durable }: Task, { ctx, workspace }: Work): ResultPlacement {
  const to = { kind: 'file', path: output, name: 'the output' } as const;
  return { to, parts: 'archive', workspace, signal: ctx.signal, hash: durable, brief: !durable };
}

export function outputFacts({ bytes, sha256 }: WrittenFile): Pick<TaskOutput, 'bytes' | 'sha256'> {
  return present({ bytes, sha256 });
}

/** The row of a name, with the limits of this server. */
function rowNamed(name: string, limits: Limits): ServiceOperation {
  const row = OPERATIONS.find((op) => op.name === name);
  if (row === undefined) throw new TypeError(`there is no operation named ${name}`);
  return { ...row, limits } as ServiceOperation; // a row without an address has one of the page
}

/** Checks limits and counts minutes like the job, without an output. */
export async function measure(task: OperationTask, work: Work): Promise<TaskOutput> {
  const op = rowNamed(task.name, task.limits);
  if (work.measure === undefined) throw new Failure('unavailable', `${op.name} is not available on this server`);
  const { input } = await openRow(rowOf(op, task, work));
  return { mediaType: JSON_TYPE, bytes: 0, speech: await work.measure(op, input, work.ctx) };
}

/** Throws where a file exceeds its row's limits, packed or, for a source pack, unpacked. */
async function holdLimits(
  op: AnyOperation,
  { fields }: Task,
  { bytes }: WrittenFile,
  body: RandomAccess,
): Promise<void> {
  const { output } = outputOf(op, fields);
  if (output.kind === 'record') return;
  const assertAtMost = (limit: number, subject: string, actual: number) => {
    if (actual <= limit) return;
    throw new Failure('too_large', `${op.name}: expected at most ${limit} bytes of ${subject}, found ${actual}`, {
      kind: 'limit',
    });
  };
  assertAtMost(op.limits?.outputBytes ?? Number.POSITIVE_INFINITY, 'output', bytes);
  const bound = (op.limits?.when ?? []).find(({ field, value }) => fields[field] === value)?.derivativeBytes;
  if (bound === undefined || output.mediaType !== ZIP) return;
  assertAtMost(bound, 'derived files', await inflatedSize(body));
}
