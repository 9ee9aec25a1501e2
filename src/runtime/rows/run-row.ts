/**
 * Runs a row of the table for every surface: its files are opened, page ranges counted, the engine called, and what it made
 * put in its place. The surfaces differ in data: where files come from (`inputs`) and where the output goes (`placement`).
 * Whatever can be refused is refused before the engine is called. The caller shows records.
 */

import type { ByteSource, Context, RandomAccess, Result, Temp, Values } from '../../contract/base/ports.ts';
import type { Engine } from '../../contract/engine.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { openInputs, refuseStdinTwice } from '../files/inputs/inputs.ts';
import type { ByteStream } from '../files/inputs/spool.ts';
import type { InputIdentity } from '../files/outputs/target.ts';
import type { Workspace } from '../files/outputs/workspace.ts';
import type { Sandbox } from '../files/sandbox.ts';
import { fileSource } from '../files/system/file-source.ts';
import { draftsFor, placeOthers, placeResult, type ResultPlacement, type WrittenFile } from './place-result.ts';

/** Where the files of a run come from. */
type InputSource =
  /**
   * Names as a person types them; - is standard input. `listed`: the list and line that a name stands in. `unnamed`: what
   * has to be copied to the disk has no name there. `bodies`: bytes and streams of a caller, by the names that stand for them.
   */
  | {
      readonly from: 'names';
      readonly listed?: Readonly<Record<string, string>>;
      readonly unnamed?: boolean;
      readonly bodies?: ReadonlyMap<string, ByteStream>;
    }
  /** Names that an agent gave: files inside the sandbox. */
  | { readonly from: 'sandbox'; readonly sandbox: Sandbox }
  /** Files that this program stored, with the names that their senders gave them. */
  | { readonly from: 'store'; readonly senderNames: ReadonlyMap<string, string> };

/** The files of a run, in the order of the row's fields. */
export interface OpenFiles {
  readonly byField: Values;
  readonly sources: readonly RandomAccess[];
  /** As they were named; of a sandbox their absolute paths. */
  readonly names: readonly string[];
  readonly identities: readonly InputIdentity[];
}

export interface RowRun {
  readonly op: AnyOperation;
  readonly engine: Engine;
  /** Checked values of all fields but files and page ranges. */
  readonly values: Values;
  /** Names of files, by field. */
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly inputs: InputSource;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Where the output goes; undefined where the caller prints it. Throws where nothing may be written there. */
  placement?(files: OpenFiles): ResultPlacement | undefined;
  /** What the engine may use; `temp` is beside the output. */
  context(temp: Temp, files: OpenFiles): Context | Promise<Context>;
  /** Values that are known once the file is open, such as page ranges. */
  complete?(files: OpenFiles, ctx: Context): Promise<Values>;
}

/** A run whose checks have all passed. */
export interface OpenRow extends RowRun {
  readonly opened: OpenFiles;
  readonly input: Values;
  readonly ctx: Context;
  readonly placed: ResultPlacement | undefined;
}

export interface RowDone {
  readonly result: Result;
  /** When the engine had answered. */
  readonly answered: number;
  /** Undefined for a record, which is the caller's to show, and where the output went to standard output. */
  readonly written: WrittenFile | undefined;
}

/** Opens the files, looks at the destination and completes the input. */
export async function openRow(run: RowRun): Promise<OpenRow> {
  const opened = await openFiles(run);
  const placed = run.placement?.(opened);
  const temp = placed === undefined ? run.workspace.temp({ name: run.op.name }) : draftsFor(placed);
  const ctx = await run.context(temp, opened);
  const completed = await run.complete?.(opened, ctx);
  return { ...run, opened, placed, ctx, input: { ...run.values, ...opened.byField, ...completed } };
}

/** Calls the engine and puts what it made in its place. `signal`: where it is not that of the context. */
export async function callRow(row: OpenRow, signal: AbortSignal = row.ctx.signal): Promise<RowDone> {
  const { op, engine, input, ctx, placed } = row;
  // The row says what its input is; every value was checked against its schema.
  const result: Result = await engine.call(op, input as never, { ...ctx, signal });
  signal.throwIfAborted();
  const answered = ctx.clock.now();
  const isFile = result.kind === 'bytes' || result.kind === 'parts';
  const written = isFile && placed !== undefined ? await placeResult(result, { ...placed, signal }) : undefined;
  if (placed !== undefined) await placeOthers(result, { ...placed, signal });
  return { result, answered, written };
}

async function openFiles({ op, files, inputs, workspace, signal }: RowRun): Promise<OpenFiles> {
  if (inputs.from === 'names') refuseStdinTwice(Object.values(files).flat());
  const byField: Record<string, ByteSource | readonly ByteSource[] | undefined> = {};
  const all: Opened[] = [];
  for (const [name, field] of Object.entries(op.input)) {
    const given = files[name];
    if (given === undefined || !('types' in field)) continue;
    const opened = await openField(given, field.types, inputs, workspace, signal);
    const sources = opened.map(({ source }) => source);
    byField[name] = field.kind === 'files' ? sources : sources[0];
    all.push(...opened);
  }
  return {
    byField,
    sources: all.map(({ source }) => source),
    names: all.map(({ name }) => name),
    identities: all.flatMap(({ identity }) => identity ?? []),
  };
}

interface Opened {
  readonly source: RandomAccess;
  readonly name: string;
  /** Left out where no output can be one of the inputs. */
  readonly identity?: InputIdentity | undefined;
}

async function openField(
  names: readonly string[],
  types: readonly string[],
  inputs: InputSource,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Opened[]> {
  switch (inputs.from) {
    case 'names': {
      const { sources, identities } = await openInputs(names, types, workspace, signal, inputs);
      return sources.map((source, i) => ({ source, name: names[i] ?? source.name, identity: identities[i] }));
    }
    case 'sandbox':
      return names.map((name) => {
        const { source, path } = inputs.sandbox.source(name, types, workspace);
        return { source, name: path };
      });
    case 'store':
      return names.map((path) => {
        const name = inputs.senderNames.get(path) ?? path;
        return { source: fileSource(workspace.descriptors.open(path, name), workspace.descriptors), name };
      });
  }
}
