// Owns one run of an operation: inputs opened, the engine called, the result delivered and told. Knows no argv.
import { Failure } from '../contract/failure.ts';
import { type AnyOperation, outputOf } from '../contract/operation.ts';
import type { ByteSource, Clock, Context, Engine, Result } from '../contract/ports.ts';
import { openInputs } from '../runtime/inputs.ts';
import { passwordFinder } from '../runtime/passwords.ts';
import { printableText } from '../runtime/printable.ts';
import { watch } from '../runtime/progress.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Streams } from '../runtime/streams.ts';
import type { InputIdentity } from '../runtime/target.ts';
import { Workspace } from '../runtime/workspace.ts';
import { startCodecs } from './codec.ts';
import { type Delivered, deliver, deliverText, severalParts } from './deliver.ts';
import { chooseDestination, type Destination, draftParent, type Place } from './destination.ts';
import type { Flags } from './flags.ts';
import { otherReaders } from './other-reader.ts';
import { pageDrawers } from './page-drawer.ts';
import { resolvePageFields } from './page-fields.ts';
import type { Options } from './program.ts';
import type { Wish } from './read-input.ts';
import type { Surroundings } from './remote.ts';
import { positionalOf } from './row-command.ts';
import { type Done, outputRecord, recordWithNotes, showRecord, summarize } from './show.ts';
import type { Voice } from './voice.ts';

/** Everything a run is given. */
export interface Run {
  readonly op: AnyOperation;
  readonly engine: Engine;
  readonly wish: Wish;
  readonly flags: Flags;
  readonly streams: Streams;
  readonly voice: Voice;
  readonly colour: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Where outputs with a name of ours go. */
  readonly folder: string | undefined;
  /** Whether progress is shown; left out, it is. */
  readonly watched?: boolean;
  /** One of several files: its name goes into the JSON. */
  readonly batch: boolean;
  /** What a job on the service needs beside; a process of a batch, which works on this machine, has none. */
  readonly around?: {
    readonly settings: Settings;
    /** What the engine was told beside the settings. */
    readonly surroundings: Surroundings;
    /** Options of the command that are no field of its row. */
    readonly options: Options;
  };
}

const DONE = 0;
const WISH_NOT_MET = 3;

/** Runs once, over all files of the wish. Returns the exit code; throws a Failure. */
export async function runOnce(run: Run): Promise<number> {
  // The service answers with a job, which is begun once and watched; on this machine the work is done at once.
  if (
    run.around !== undefined &&
    run.engine.name === 'remote' &&
    outputOf(run.op, run.wish.values).output.kind === 'job'
  ) {
    return (await import('./job-run.ts')).runJob(run, run.around);
  }
  const { op, engine, streams, signal, clock, voice } = run;
  const began = clock.now();
  const workspace = new Workspace();
  const watcher = watch({
    streams,
    clock,
    mode: watchMode(run),
    verbose: run.flags.verbose,
    colour: run.colour,
    title: op.name,
  });
  try {
    const { input: given, destination } = await prepare(run, workspace);
    const password = passwordFinder(run.wish.passwords, streams, signal);
    const ctx: Context = {
      signal,
      clock,
      temp: workspace.temp({
        parent: draftParent(destination),
        name: nameOf(destination),
        together: destination.kind === 'folder',
      }),
      password: (name, attempt) => watcher.asking(() => password(name, attempt)),
      countElsewhere: otherReaders(clock, signal),
      drawPages: pageDrawers(clock, signal),
      startCodecs,
      progress: watcher.progress,
      detail: run.flags.verbose ? watcher.line : () => {},
    };
    const input = await withPages(run, given, ctx);
    if (wantsOnePart(op, input, destination) && Array.isArray(input.pages) && input.pages.length > 1) {
      throw severalParts(input.pages.length);
    }
    // The row says what its input is; the values were checked against its schemas one by one.
    const result: Result = await engine.call(op, input as never, ctx).catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.remains === undefined) throw error;
      const { keepRemains } = await import('./remains.ts');
      throw await keepRemains(error, destination, { workspace, streams, signal });
    });
    signal.throwIfAborted();
    const done = await finish(run, result, input, destination, workspace);
    watcher.close();
    tell(run, done, input, destination);
    for (const warning of result.warnings ?? []) voice.warn(warning);
    if (destination.kind !== 'stdout') voice.summary(summaryLine(run, done, clock.now() - began));
    if (met(run, result)) return DONE;
    // Without a terminal nothing else would say why the run ends with that code.
    voice.warn(`the target was not reached: ${done.delivered?.path ?? 'the output'} is as small as it gets`);
    return WISH_NOT_MET;
  } finally {
    watcher.close();
    workspace.close();
  }
}

/** Opens the files and looks at the destination: all that can be refused is refused here. */
export async function prepare(
  run: Run,
  workspace: Workspace,
): Promise<{ input: Record<string, unknown>; destination: Destination }> {
  const { input, identities } = await openWish(run, workspace);
  const destination = chooseDestination(run.op, input, run.wish.files[0], placeOf(run), identities, run.streams);
  return { input, destination };
}

/** Bytes of inputs from which on young garbage decides how much memory a run takes. */
const LARGE = 8 * 1024 * 1024;

function bytesOf(sources: readonly ByteSource[]): number {
  return sources.reduce((sum, { size }) => sum + (size ?? 0), 0);
}

/** The input of the row, its files opened. */
export async function openWish(
  { op, engine, wish, signal }: Run,
  workspace: Workspace,
): Promise<{ input: Record<string, unknown>; identities: readonly InputIdentity[] }> {
  const positional = positionalOf(op);
  const field = positional?.[1];
  const types = field?.kind === 'file' || field?.kind === 'files' ? field.types : [];
  const { sources, identities } = await openInputs(wish.files, types, workspace, signal);
  if (engine.name === 'local' && op.work === 'copy' && bytesOf(sources) > LARGE) {
    (await import('../runtime/heap.ts')).collectBuffersEarly();
  }
  const input: Record<string, unknown> = { ...wish.values };
  if (positional !== undefined && sources.length > 0)
    input[positional[0]] = field?.kind === 'files' ? sources : sources[0];
  return { input, identities };
}

export function placeOf({ flags, wish, folder }: Run): Place {
  return {
    output: flags.output,
    folder: wish.outDir ?? folder,
    toFiles: wish.outDir !== undefined,
    force: flags.force,
    json: flags.json,
  };
}

/** The input with the page ranges of the line counted in its file. */
export async function withPages(
  { op, wish, engine }: Run,
  input: Record<string, unknown>,
  ctx: Context,
): Promise<Record<string, unknown>> {
  const source = input[positionalOf(op)?.[0] ?? ''];
  // A row with page fields has one file: prepare has opened it.
  return { ...input, ...(await resolvePageFields(op, wish.pages, source as ByteSource | undefined, engine.name, ctx)) };
}

async function finish(
  run: Run,
  result: Result,
  input: Readonly<Record<string, unknown>>,
  destination: Destination,
  workspace: Workspace,
): Promise<Done> {
  const { op, engine, streams, signal, flags } = run;
  const delivery = { workspace, streams, signal, hash: flags.json, single: wantsOnePart(op, input, destination) };
  let delivered: Delivered | undefined;
  if (result.kind === 'bytes' || result.kind === 'parts') delivered = await deliver(result, destination, delivery);
  else if (destination.kind !== 'stdout') {
    delivered = await deliverText(fileText(result.record, op, input), destination, delivery);
  }
  return { op, engine: engine.name, result, delivered, input: run.batch ? run.wish.files[0] : undefined };
}

/** Whether the destination is one file that takes one part as it is. */
function wantsOnePart(op: AnyOperation, input: Readonly<Record<string, unknown>>, destination: Destination): boolean {
  const { output } = outputOf(op, input);
  if (output.kind !== 'parts' || output.single !== true || destination.kind === 'folder') return false;
  return destination.kind === 'stdout' || !destination.name.toLowerCase().endsWith('.zip');
}

/** A record in a file: its text where it has one, else JSON, also for a record that people read as lines. */
function fileText(record: Record<string, unknown>, op: AnyOperation, input: Readonly<Record<string, unknown>>): string {
  const { output } = outputOf(op, input);
  const hasText = output.kind === 'record' && output.text !== undefined;
  return hasText ? showRecord(record, output) : `${JSON.stringify(record, undefined, 2)}\n`;
}

/** Standard output: JSON, a path per file, or the record. */
function tell(
  { flags, streams, op }: Run,
  done: Done,
  input: Readonly<Record<string, unknown>>,
  destination: Destination,
): void {
  const { result, delivered } = done;
  const isRecord = result.kind === 'record' || result.kind === 'job';
  if (flags.json) {
    const record = isRecord && delivered === undefined ? recordWithNotes(result.record, done) : outputRecord(done);
    streams.out(`${JSON.stringify(record)}\n`);
  } else if (delivered !== undefined) {
    streams.out(paths(delivered, streams.outIsTerminal));
  } else if (isRecord && destination.kind === 'stdout') {
    const { output } = outputOf(op, input);
    // Lines of several files follow each other; a document stays as it is.
    const named = done.input !== undefined && !(output.kind === 'record' && output.document === true);
    const shown = named ? { file: done.input, ...result.record } : result.record;
    const text = showRecord(shown, output, streams.outIsTerminal ? streams.columns() : undefined);
    streams.out(streams.outIsTerminal ? printableText(text) : text);
  }
}

/** A path per output file; a person is shown the folder, not its five hundred files. */
function paths({ path, files }: Delivered, toPerson: boolean): string {
  if (files === undefined) return `${toPerson ? printableText(path) : path}\n`;
  return toPerson ? `${printableText(path)}\n` : files.map((file) => `${file.path}\n`).join('');
}

function summaryLine({ streams }: Run, done: Done, milliseconds: number): string {
  const name = streams.outIsTerminal || done.delivered === undefined ? '' : `${done.delivered.path}: `;
  return `${name}${summarize(done, milliseconds)}`;
}

function met({ wish }: Run, result: Result): boolean {
  return !wish.requireTarget || result.kind !== 'bytes' || result.measurement?.target_reached !== false;
}

export function watchMode({
  flags,
  streams,
  watched = true,
}: Pick<Run, 'flags' | 'streams' | 'watched'>): 'draw' | 'lines' | 'none' {
  if (flags.quiet || !watched) return 'none';
  return streams.errIsTerminal && flags.progress ? 'draw' : 'lines';
}

function nameOf(destination: Destination): string {
  return destination.kind === 'stdout' ? 'standard output' : destination.name;
}
