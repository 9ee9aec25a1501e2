/** Runs one call of a library function: reads its arguments, and runs its row as every surface does (runtime/rows). */
import { basename } from 'node:path';
import { machineMeans, otherPrograms, signatureMeans, speechMeans } from '../cli/children/means.ts';
import { assertRuns, assertSent } from '../cli/engines/engines.ts';
import { countLocalPages, loadLocal, localProbe } from '../cli/engines/local.ts';
import {
  assertOnePart,
  chooseBeside,
  chooseDestination,
  type DestinationRequest,
  defaultName,
  partsIn,
} from '../cli/files/destination.ts';
import { failureOf } from '../cli/line/failure-of.ts';
import { fileText } from '../cli/run/show.ts';
import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context, Part, Result } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import { say, setting } from '../contract/base/wording.ts';
import type { Engine } from '../contract/engine.ts';
import { ANY, typeNamed } from '../contract/media.ts';
import { type AnyOperation, outputOf, positionalOf } from '../contract/operation.ts';
import { resolvePageFields } from '../contract/page-fields.ts';
import { systemClock } from '../runtime/clock.ts';
import { bytesOfSource } from '../runtime/files/inputs/read-all.ts';
import { Workspace } from '../runtime/files/outputs/workspace.ts';
import { ownVersion } from '../runtime/processes/own-program.ts';
import { placeText, type ResultPlacement, type WrittenFile } from '../runtime/rows/place-result.ts';
import { callRow, type OpenRow, openRow, type RowDone } from '../runtime/rows/run-row.ts';
import { PdftoolError } from './error.ts';
import { type GivenCall, readCall } from './given.ts';

/** A call in progress. `end` releases all that it holds; calling it again does nothing. */
interface Running {
  readonly given: GivenCall;
  readonly row: OpenRow;
  readonly done: RowDone;
  readonly wanted: DestinationRequest;
  end(): void;
}

/** Rejects with a PdftoolError. */
export async function call(op: AnyOperation, args: readonly unknown[]): Promise<unknown> {
  const running = await start(op, args);
  let isKept = false;
  try {
    const { given, done, row, wanted } = running;
    const { result } = done;
    const told = present({ credits: result.credits, warnings: result.warnings ?? [] });
    if (result.kind === 'record' || result.kind === 'job') {
      const written =
        given.output === undefined || row.placed === undefined
          ? undefined
          : await placeText(fileText(result.record, wanted.output), wanted.output.mediaType, row.placed);
      if (written === undefined) return { ...result.record, ...(result.warnings?.length ? told : {}) };
      return { ...placed(written), ...told };
    }
    if (done.written !== undefined) return { ...placed(done.written), ...told, ...factsOf(result) };
    if (result.kind === 'parts') throw new TypeError('parts come one by one');
    const name = defaultName(wanted, wanted.files[0]);
    const file = { name: basename(name), mediaType: result.mediaType, ...told, ...factsOf(result) };
    isKept = given.as === 'stream';
    const { signal } = row.ctx;
    if (isKept) return { ...file, size: result.body.size, stream: streamOf(result.body, signal, running) };
    const bytes = await bytesOf(result.body, signal);
    const beside = await Promise.all(
      (result.beside ?? []).map(async (file) => ({
        extension: file.extension,
        bytes: await bytesOf(file.body, signal),
      })),
    );
    return { ...file, size: bytes.length, bytes, ...(beside.length === 0 ? {} : { beside }) };
  } catch (error) {
    throw thrown(error, running.row.ctx.signal);
  } finally {
    if (!isKept) running.end();
  }
}

export async function* callParts(op: AnyOperation, args: readonly unknown[]): AsyncGenerator<object> {
  const running = await start(op, args);
  const { signal } = running.row.ctx;
  try {
    const { result } = running.done;
    if (result.kind !== 'parts') throw new TypeError(`${op.name} makes several files`);
    for (const part of result.parts) yield await partOf(part, signal);
  } catch (error) {
    throw thrown(error, signal);
  } finally {
    running.end();
  }
}

async function partOf({ name, body, pages }: Part, signal: AbortSignal): Promise<object> {
  const bytes = await bytesOf(body, signal);
  return { name, mediaType: typeNamed(name) ?? ANY, ...present({ pages }), size: bytes.length, bytes };
}

async function start(op: AnyOperation, args: readonly unknown[]): Promise<Running> {
  const stop = new AbortController();
  const workspace = new Workspace();
  let leave = () => {};
  const end = () => {
    leave();
    workspace.close();
    // Processes of this call that still run end with it.
    stop.abort(new Failure('interrupted', 'the call is over'));
  };
  try {
    const given = readCall(op, args);
    const { signal } = given;
    const onAbort = () => stop.abort(new Failure('interrupted', 'stopped by its signal', { cause: signal?.reason }));
    if (signal?.aborted === true) onAbort();
    if (signal !== undefined) leave = heed(signal, onAbort);
    stop.signal.throwIfAborted();
    const engine = await engineFor(given);
    assertRuns(engine, op);
    assertSent(engine, op, [...Object.keys(given.values), ...Object.keys(given.pages)]);
    const wanted = wantedOf(op, given);
    const row = await openRow({
      op,
      engine,
      values: given.values,
      files: given.files,
      // Copies of bytes and streams have no name on the disk, so that none is left however the caller ends.
      inputs: { from: 'names', unnamed: given.bodies.size <= MOST_UNNAMED, bodies: given.bodies },
      workspace,
      signal: stop.signal,
      placement: ({ identities }) => placementOf(wanted, identities, workspace, stop.signal),
      context: async (temp) => ({
        ...(engine.name === 'local' ? await meansFor(op, given, stop.signal) : {}),
        ...(given.salvage === true ? { salvage: () => {} } : {}),
        signal: stop.signal,
        clock: systemClock,
        temp,
        password: async (name, attempt) => passwordOf(given, name, attempt),
        progress: (step) => given.onProgress?.(step),
        detail: () => {},
      }),
      complete: async ({ sources: [first] }, ctx) => ({
        ...(engine.name === 'remote' ? await sentPassword(op, given) : {}),
        ...(await resolvePageFields(op, given.pages, first, engine.name, ctx, countLocalPages)),
      }),
    });
    if (row.placed?.parts === 'single') assertOnePart(wanted.output, row.input);
    const done = await callRow(row);
    return { given, row, done, wanted, end };
  } catch (error) {
    const failure = thrown(error, stop.signal);
    end();
    throw failure;
  }
}

/** Running calls by signal: they share one listener, because Node warns of eleven. It is removed with the last call. */
const heeding = new WeakMap<AbortSignal, { readonly calls: Set<() => void>; readonly listener: () => void }>();

/** Calls `onAbort` when the signal is aborted, until the function that it returns is called. */
function heed(signal: AbortSignal, onAbort: () => void): () => void {
  const calls = heeding.get(signal)?.calls ?? new Set();
  const listener = heeding.get(signal)?.listener ?? (() => [...calls].forEach((call) => void call()));
  heeding.set(signal, { calls, listener });
  if (calls.size === 0) signal.addEventListener('abort', listener, { once: true });
  calls.add(onAbort);
  return () => {
    calls.delete(onAbort);
    if (calls.size === 0) signal.removeEventListener('abort', listener);
  };
}

/** Unnamed copies stay open; a process may open a few hundred files. */
const MOST_UNNAMED = 16;

function thrown(error: unknown, signal: AbortSignal): unknown {
  return error instanceof PdftoolError ? error : new PdftoolError(failureOf(error, signal));
}

const NO_SETTINGS = { engine: 'local', profile: '', confirmCredits: 0, workflowNames: {}, debug: false } as const;

/** Only the arguments count: neither the environment nor a settings file is read. */
async function engineFor({ engine, apiKey, baseUrl, maxCredits, timeout }: GivenCall): Promise<Engine> {
  if (engine !== 'remote') return loadLocal();
  const [{ createGuardedRemote }, { openJobPorts }, { identify }, { followingJobs }] = await Promise.all([
    import('../cli/engines/remote.ts'),
    import('../cli/jobs/ports.ts'),
    import('../cli/engines/journal.ts'),
    import('./jobs.ts'),
  ]);
  const account = { apiKey, baseUrl, maxCredits, timeout, profile: 'default' };
  const settings = { ...NO_SETTINGS, ...account, engine };
  // Nobody reads a warning before a call is paid for again: it is refused.
  const hooks = { version: ownVersion, refusesRepeats: true };
  const remote = await createGuardedRemote(settings, hooks);
  return followingJobs(remote, () => openJobPorts({ settings, hooks }, remote), localProbe, identify);
}

async function meansFor(op: AnyOperation, { values }: GivenCall, signal: AbortSignal): Promise<Partial<Context>> {
  const means = machineMeans(systemClock, signal);
  if (op.group === 'speech') return { ...means, ...(await speechMeans(false)) };
  const exchange = await signatureMeans(values, () => NO_SETTINGS, signal);
  if (op.input.command !== undefined) return { ...means, ...exchange, ...(await otherPrograms()) };
  if (op.work !== 'render' && values.ocr !== true) return { ...means, ...exchange };
  const { proofTools } = await import('../cli/children/other-eyes.ts');
  return { ...means, ...(await otherPrograms()), ...proofTools(systemClock, signal) };
}

function wantedOf(op: AnyOperation, given: GivenCall): DestinationRequest {
  const { values, output, force = false } = given;
  const [first = ''] = positionalOf(op) ?? [];
  const flags = { output, force, json: false };
  const files = given.files[first] ?? [];
  return {
    op,
    output: outputOf(op, values).output,
    values,
    files,
    below: {},
    outDir: undefined,
    folder: undefined,
    flags,
  };
}

/** Where the output goes; undefined where the caller gets it. Other outputs have paths of their own. */
function placementOf(
  wanted: DestinationRequest,
  identities: Parameters<typeof chooseDestination>[1],
  workspace: Workspace,
  signal: AbortSignal,
): ResultPlacement | undefined {
  const to =
    wanted.flags.output === undefined
      ? ({ kind: 'stdout' } as const)
      : chooseDestination(wanted, identities, { outIsTerminal: false });
  if (to.kind === 'stream') throw new Failure('usage', say`${setting('output')}: ${to.name} is no file`);
  const also = chooseBeside(wanted, to, identities);
  if (to.kind === 'stdout' && also.size === 0) return undefined;
  return { to, parts: partsIn(wanted, to), also, workspace, signal, hash: false };
}

async function passwordOf({ password }: GivenCall, name: string, attempt: number): Promise<string | undefined> {
  if (typeof password === 'function') return password(name, attempt);
  return attempt === 1 ? password : undefined;
}

/** A service cannot ask for the password of a file: it is sent along. */
async function sentPassword(op: AnyOperation, given: GivenCall): Promise<Record<string, unknown>> {
  const [name] = Object.entries(op.input).find(([, field]) => field.kind === 'secret' && field.ofFile === true) ?? [];
  const password = name === undefined ? undefined : await passwordOf(given, 'the document', 1);
  return name === undefined || password === undefined ? {} : { [name]: password };
}

function factsOf(result: Result): object {
  if (result.kind !== 'bytes') return {};
  const { pages, measurement, details }: BytesResult = result;
  return present({ pages, measurement, details });
}

function placed({ path, bytes, pages, files, beside }: WrittenFile): object {
  return present({ path, size: bytes, pages, files: files?.map(placed), beside: beside?.map(placed) });
}

async function bytesOf(body: ByteSource, signal: AbortSignal): Promise<Uint8Array> {
  const { size, read } = body;
  if (size !== undefined && read !== undefined) {
    const bytes = new Uint8Array(size);
    // `read` fills as much as there is.
    return bytes.subarray(0, body.read?.(bytes, 0));
  }
  return bytesOfSource(body, signal);
}

/** The body as a stream; the call ends when it was read or abandoned. */
function streamOf(body: ByteSource, signal: AbortSignal, { end }: Running): ReadableStream<Uint8Array> {
  const chunks = body.open(signal)[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done !== true) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(thrown(error, signal));
      }
    },
    cancel: end,
  });
}
