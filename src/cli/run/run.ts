import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { ByteSource, Clock, Context, Draft, Result, Temp } from '../../contract/ports.ts';
import { systemEntropy } from '../../runtime/entropy.ts';
import { Workspace } from '../../runtime/folders/workspace.ts';
import { passwordFinder } from '../../runtime/terminal/passwords.ts';
import { printableText } from '../../runtime/terminal/printable.ts';
import { count, formatSize } from '../../runtime/terminal/units.ts';
import { startCodecs } from '../children/codec.ts';
import { otherPrograms } from '../children/other-programs.ts';
import { otherReaders } from '../children/other-reader.ts';
import { pageDrawers } from '../children/page-drawer.ts';
import { startReader } from '../children/reader-thread.ts';
import type { RemoteParts } from '../remote.ts';
import { offersSalvage } from '../row-command.ts';
import { openWatcher } from '../watcher.ts';
import { assertOnePart, type Delivered, deliver, deliverText } from './deliver.ts';
import { chooseBeside, chooseDestination, type Destination, draftParent, takesOnePart } from './destination.ts';
import { openFiles, type Run, readInput } from './inputs.ts';
import type { RunPlan } from './plan.ts';
import { type Done, outputRecord, recordWithNotes, showRecord, summarize } from './show.ts';
import { type Steps, tellSteps } from './steps.ts';

export interface FileRun extends Run {
  /** Whether progress is shown; left out, it is. */
  readonly watched?: boolean;
  /** One of several files: lines of its record begin with its name. */
  readonly batch: boolean;
  /** Why a result that is done is not what was hoped for: exit code 3. */
  readonly unmet?: (result: Result) => string | undefined;
  /** What a job on the service needs; a process of a batch, which works on this machine, has none. */
  readonly remote?: RemoteParts;
}

const DONE = 0;
/** As diff and cmp have it. */
const DIFFERENT = 1;
const UNMET = 3;

/** Runs once, over all files of the plan. Returns the exit code; throws a Failure. */
export async function runOnce(run: FileRun): Promise<number> {
  const { plan, engine, streams, signal, clock, messages } = run;
  const { op, output, flags } = plan;
  // The service answers with a job, which is begun once and watched; on this machine the work is done at once.
  if (run.remote !== undefined && engine.name === 'remote' && output.kind === 'job') {
    return (await import('../jobs/begin.ts')).runJob(run, run.remote);
  }
  if (plan.salvage && engine.name === 'remote') {
    throw new Failure('usage', '--salvage works on this machine alone', { hint: 'Give --local, or leave it out.' });
  }
  const began = clock.now();
  const workspace = new Workspace();
  const watcher = openWatcher(run, flags, op.name, run.watched);
  const detail = flags.verbose ? watcher.line : () => {};
  const steps = tellSteps(clock, detail);
  try {
    const opened = await openFiles(run, workspace);
    const { sources, identities } = opened;
    if (sources.length > 0) steps.ended(`opened ${namesOf(sources)}`);
    // All that can be refused is refused before any work is done.
    const destination = chooseDestination(plan, identities, streams);
    const beside = chooseBeside(plan, destination, identities);
    const password = passwordFinder(plan.passwords, streams, signal);
    const salvaged: string[] = [];
    const drafts = timedDrafts(
      workspace.temp({
        parent: draftParent(destination),
        name: nameOf(destination),
        together: destination.kind === 'folder',
      }),
      clock,
    );
    const ctx: Context = {
      signal,
      clock,
      temp: drafts.temp,
      password: (name, attempt) => watcher.asking(() => password(name, attempt)),
      ...otherReaders(clock, signal),
      ...(plan.salvage ? { salvage: (taken: string) => void salvaged.push(taken) } : {}),
      drawPages: pageDrawers(clock, signal),
      ...run.proof,
      startCodecs,
      startReader,
      random: systemEntropy.bytes,
      ...(engine.name === 'local' ? await otherMeans(plan) : {}),
      progress(event) {
        steps.progress(event);
        watcher.progress(event);
      },
      step: steps.ended,
      detail,
    };
    const input = await readInput(run, opened, ctx);
    const single = takesOnePart(plan, destination);
    if (single) assertOnePart(output, input);
    // The row says what its input is; the values were checked against its schemas one by one.
    const made: Result = await engine.call(op, input as never, ctx).catch(async (error: unknown) => {
      if (error instanceof Failure && error.salvageable && offersSalvage(op)) throw withSalvageHint(error);
      if (!(error instanceof Failure) || error.remains === undefined) throw error;
      const { keepRemains } = await import('./remains.ts');
      throw await keepRemains(error, destination, { workspace, streams, signal });
    });
    const result = { ...made, warnings: [...new Set([...salvaged, ...(made.warnings ?? [])])] };
    signal.throwIfAborted();
    tellMade(steps, op, result, drafts.last());
    const delivered = await deliverResult(run, result, destination, single, workspace);
    for (const { field, body, mediaType } of result.also ?? []) {
      const target = beside.get(field);
      const file = { kind: 'bytes', mediaType, body } as const;
      if (target !== undefined) await deliver(file, target, { workspace, streams, signal, hash: false });
    }
    if (delivered !== undefined) steps.ended(`written ${delivered.path}, ${formatSize(delivered.bytes)}`);
    const done = {
      op,
      engine: engine.name,
      result,
      delivered,
      input: plan.fileField?.field.kind === 'file' ? plan.files[0] : undefined,
    };
    watcher.close();
    tell(run, done, destination);
    for (const warning of result.warnings ?? []) messages.warn(warning);
    if (destination.kind !== 'stdout') messages.summary(summaryLine(run, done, clock.now() - began));
    const unmet = run.unmet?.(result) ?? targetMissed(plan, result, delivered) ?? salvageNote(salvaged);
    if (unmet === undefined) return isFalse(result, op.verdict) ? DIFFERENT : DONE;
    // Without a terminal nothing else would say why the run ends with that code.
    messages.warn(unmet);
    return UNMET;
  } finally {
    watcher.close();
    workspace.close();
  }
}

function isFalse(result: Result, verdict: string | undefined): boolean {
  return verdict !== undefined && result.kind === 'record' && result.record[verdict] === false;
}

/** What a run on this machine may use of it besides its files. */
async function otherMeans({ op, values }: RunPlan): Promise<Partial<Context>> {
  if (op.group === 'speech') return (await import('../speech-means.ts')).speechMeans(true);
  // Words may be recognised.
  return op.work === 'render' || values.ocr === true ? otherPrograms() : {};
}

/** Drafts, and when the last of them was finished. */
function timedDrafts(temp: Temp, clock: Clock): { readonly temp: Temp; last(): number | undefined } {
  let last: number | undefined;
  const create = (name: string): Draft => {
    const draft = temp.create(name);
    const finish = draft.finish.bind(draft);
    draft.finish = () => {
      last = clock.now();
      return finish();
    };
    const behind = draft.finishBehind?.bind(draft);
    if (behind !== undefined) {
      draft.finishBehind = () => {
        last = clock.now();
        return behind();
      };
    }
    return draft;
  };
  return { temp: { create }, last: () => last };
}

/** The end of the work: a PDF was made, and then opened again and its pages counted. */
function tellMade(steps: Steps, { name, work }: RunPlan['op'], result: Result, finished: number | undefined): void {
  const isPdf =
    result.kind === 'bytes'
      ? result.mediaType === PDF
      : result.kind === 'parts' && result.parts.every((part) => part.name.endsWith('.pdf'));
  if (!isPdf || finished === undefined) {
    steps.ended(`${name} done`);
    return;
  }
  steps.endedAt(finished, work === 'copy' ? 'copied' : 'made');
  steps.ended('checked');
}

function namesOf(sources: readonly ByteSource[]): string {
  return sources.length > 3 ? count(sources.length, 'file') : sources.map(({ name }) => name).join(', ');
}

async function deliverResult(
  { plan, streams, signal }: Run,
  result: Result,
  destination: Destination,
  single: boolean,
  workspace: Workspace,
): Promise<Delivered | undefined> {
  const delivery = { workspace, streams, signal, hash: plan.flags.json, single };
  if (result.kind === 'bytes' || result.kind === 'parts') return deliver(result, destination, delivery);
  return destination.kind === 'stdout' ? undefined : deliverText(fileText(result.record, plan), destination, delivery);
}

/** A record in a file: its text where it has one, else JSON, also for a record that people read as lines. */
function fileText(record: Record<string, unknown>, { output }: RunPlan): string {
  const hasText = output.kind === 'record' && output.text !== undefined;
  return hasText ? showRecord(record, output) : `${JSON.stringify(record, undefined, 2)}\n`;
}

/** Standard output: JSON, a path per file, or the record. */
function tell({ plan, streams, batch }: FileRun, done: Done, destination: Destination): void {
  const { result, delivered } = done;
  const { output } = plan;
  const isRecord = result.kind === 'record' || result.kind === 'job';
  if (plan.flags.json) {
    const record = isRecord && delivered === undefined ? recordWithNotes(result.record, done) : outputRecord(done);
    streams.out(`${JSON.stringify(record)}\n`);
  } else if (delivered !== undefined) {
    streams.out(paths(delivered, streams.outIsTerminal));
  } else if (isRecord && destination.kind === 'stdout') {
    // Lines of several files follow each other; a document stays as it is.
    const named = batch && !(output.kind === 'record' && output.document === true);
    const shown = named ? { file: done.input, ...result.record } : result.record;
    const text = showRecord(shown, output, streams.outIsTerminal ? streams.columns() : undefined);
    streams.out(streams.outIsTerminal ? printableText(text) : text);
  }
}

/** A path per output file; a person is shown the folder, not its five hundred files. */
function paths({ path, files, beside = [] }: Delivered, toPerson: boolean): string {
  if (files === undefined) {
    const names = [path, ...beside.map((file) => file.path)];
    return names.map((name) => `${toPerson ? printableText(name) : name}\n`).join('');
  }
  return toPerson ? `${printableText(path)}\n` : files.map((file) => `${file.path}\n`).join('');
}

function summaryLine({ streams }: Run, done: Done, milliseconds: number): string {
  const name = streams.outIsTerminal || done.delivered === undefined ? '' : `${done.delivered.path}: `;
  return `${name}${summarize(done, milliseconds)}`;
}

function targetMissed(
  { requireTarget }: RunPlan,
  result: Result,
  delivered: Delivered | undefined,
): string | undefined {
  if (!requireTarget || result.kind !== 'bytes' || result.measurement?.target_reached !== false) return undefined;
  return `the target was not reached: ${delivered?.path ?? 'the output'} is as small as it gets`;
}

function withSalvageHint({ code, message, kind, cause }: Failure): Failure {
  const hint = 'Write it anew with the program it came from, or take what can be found of it with --salvage.';
  return new Failure(code, message, { kind, cause, hint });
}

function salvageNote(salvaged: readonly string[]): string | undefined {
  return salvaged.length === 0 ? undefined : 'look at the output before you rely on it: it was salvaged';
}

function nameOf(destination: Destination): string {
  return destination.kind === 'stdout' ? 'standard output' : destination.name;
}
