import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { Context, RandomAccess, Result, Temp } from '../../contract/base/ports.ts';
import { PDF } from '../../contract/media.ts';
import { makesPdf } from '../../contract/operation.ts';
import { Workspace } from '../../runtime/files/outputs/workspace.ts';
import { placeText, type ResultPlacement, type WrittenFile } from '../../runtime/rows/place-result.ts';
import { callRow, openRow, type RowDone, type RowRun } from '../../runtime/rows/run-row.ts';
import { readSettings } from '../../runtime/settings/settings.ts';
import { passwordFinder } from '../../runtime/terminal/passwords.ts';
import type { Watcher } from '../../runtime/terminal/progress.ts';
import { count, formatSize } from '../../runtime/terminal/units.ts';
import { otherPrograms, signatureMeans, speechMeans } from '../children/means.ts';
import type { RemoteParts } from '../engines/remote.ts';
import { assertOnePart, chooseBeside, chooseDestination, partsIn } from '../files/destination.ts';
import { type Run, rowRunOf } from '../files/inputs.ts';
import type { RunPlan } from '../line/plan.ts';
import { openWatcher, type StepLog, watchSteps } from '../line/watcher.ts';
import { type Done, fileText, showDone, summarize } from './show.ts';

export interface FileRun extends Run {
  /** Whether progress is shown; yes by default. */
  readonly watched?: boolean;
  /** One of several files: lines of its record begin with its name. */
  readonly batch: boolean;
  /** Why a finished result falls short: exit code 3. */
  readonly unmet?: (result: Result) => string | undefined;
  /** What a job on the service needs; a local batch process has none. */
  readonly remote?: RemoteParts;
}

/** Bytes of inputs from which on young garbage decides how much memory a run takes. */
const LARGE = 8 * 1024 * 1024;

const DONE = 0;
/** As diff and cmp end. */
const DIFFERENT = 1;
const UNMET = 3;

interface Observer {
  readonly watcher: Watcher;
  readonly steps: StepLog;
  /** Readings taken of damaged files on which readers disagree. */
  readonly salvaged: string[];
  /** Warnings that were shown before the work began. */
  readonly told: Set<string>;
  finished?: number;
}

/** Runs a plan: as a job where the service answers with one, which is begun once and followed; else at once. */
export async function runPlan(run: FileRun): Promise<number> {
  if (run.remote === undefined || run.engine.name === 'local' || run.plan.output.kind !== 'job') return runOnce(run);
  const { runJob } = await import('../jobs/begin.ts');
  return runJob(run, run.remote);
}

/** Runs once, over all files of the plan. Returns the exit code; throws a Failure. */
export async function runOnce(run: FileRun): Promise<number> {
  const { plan, engine, clock, messages } = run;
  const alone = plan.salvage ? '--salvage' : plan.keepConformance ? '--keep-conformance' : undefined;
  if (alone !== undefined && engine.name === 'remote') {
    throw new Failure('usage', `${alone} works on this machine alone`, { hint: 'Give --local, or leave it out.' });
  }
  const began = clock.now();
  using workspace = closing(new Workspace());
  using watcher = closing(openWatcher(run, plan.flags, plan.op.name, run.watched));
  const steps = watchSteps(clock, plan.flags.verbose ? watcher.line : () => {});
  const observer: Observer = { watcher, steps, salvaged: [], told: new Set() };
  const row = await openRow(observedRow(run, workspace, observer));
  const { placed, input } = row;
  if (placed?.parts === 'single') assertOnePart(plan.output, input);
  const called = await callRow(row).catch((error: unknown) => explained(error, plan, placed));
  tellMade(observer, plan.op, called);
  const written = called.written ?? (await placeRecord(called.result, plan, placed));
  if (written !== undefined) steps.ended(`written ${written.path}, ${formatSize(written.bytes)}`);
  watcher.close();
  const warnings = [...new Set([...observer.salvaged, ...(called.result.warnings ?? [])])];
  const result = { ...called.result, warnings };
  const file = plan.fileField?.field.kind === 'file' ? plan.files[0] : undefined;
  const done: Done = { op: plan.op, engine: engine.name, result, written, input: file };
  const isPrinted = placed?.to.kind === 'stdout';
  showDone(run, done, isPrinted);
  for (const warning of warnings) if (!observer.told.has(warning)) messages.warn(warning);
  const name = run.streams.outIsTerminal || written === undefined ? '' : `${written.path}: `;
  if (!isPrinted) messages.summary(`${name}${summarize(done, clock.now() - began)}`);
  const salvaged =
    observer.salvaged.length === 0 ? undefined : 'look at the output before you rely on it: it was salvaged';
  const unmet = run.unmet?.(result) ?? targetMissed(plan, result, written) ?? salvaged;
  if (unmet === undefined) return codeOf(result, plan.op.verdict);
  // Without a terminal nothing else explains this exit code.
  messages.warn(unmet);
  return UNMET;
}

/** The row of a run, with its steps and its progress shown. */
function observedRow(run: FileRun, workspace: Workspace, observer: Observer): RowRun {
  const { plan, engine, streams, signal, clock, messages } = run;
  const { watcher, steps, salvaged, told } = observer;
  const password = passwordFinder(plan.passwords, streams, signal);
  return {
    ...rowRunOf(run, workspace),
    placement({ sources, identities }) {
      const names = sources.length > 3 ? count(sources.length, 'file') : sources.map(({ name }) => name).join(', ');
      if (sources.length > 0) steps.ended(`opened ${names}`);
      const to = chooseDestination(plan, identities, streams);
      const parts = partsIn(plan, to);
      const also = chooseBeside(plan, to, identities);
      return { to, parts, also, workspace, signal, hash: plan.flags.json, pour: streams.pour };
    },
    context: async (temp, { sources }) => ({
      ...run.means,
      ...run.proof,
      ...(engine.name === 'local' ? await localMeans(plan, sources, signal) : {}),
      ...(plan.salvage ? { salvage: (taken: string) => void salvaged.push(taken) } : {}),
      ...(plan.keepConformance ? { keepConformance: true } : {}),
      signal,
      clock,
      temp: onFinish(temp, () => {
        observer.finished = clock.now();
      }),
      beforehand(warning) {
        if (!makesPdf(plan.op) || told.has(warning)) return;
        told.add(warning);
        watcher.aside(() => messages.warn(warning));
      },
      password: (name, attempt) => watcher.asking(() => password(name, attempt)),
      progress(event) {
        steps.progress(event);
        watcher.progress(event);
      },
      step: (what) => steps.ended(what),
      detail: plan.flags.verbose ? watcher.line : () => {},
    }),
  };
}

async function placeRecord(result: Result, { output }: RunPlan, placement: ResultPlacement | undefined) {
  if ((result.kind !== 'record' && result.kind !== 'job') || placement === undefined) return undefined;
  if (placement.to.kind === 'stdout') return undefined;
  return placeText(fileText(result.record, output), output.mediaType, placement);
}

/** What the local engine may use besides what every run has. */
async function localMeans(
  { op, values, flags }: RunPlan,
  sources: readonly RandomAccess[],
  signal: AbortSignal,
): Promise<Partial<Context>> {
  if (op.work === 'copy' && sources.reduce((sum, { size }) => sum + size, 0) > LARGE) {
    (await import('../../runtime/processes/heap.ts')).collectBuffersEarly();
  }
  if (op.group === 'speech') return speechMeans(true);
  const exchange = await signatureMeans(values, () => readSettings(flags), signal);
  // OCR and keys may need other programs.
  const runs = op.work === 'render' || values.ocr === true || op.input.command !== undefined;
  return { ...exchange, ...(runs ? await otherPrograms() : {}) };
}

/** The same drafts, with `finished` called whenever one of them is finished. */
function onFinish(temp: Temp, finished: () => void): Temp {
  return {
    create(name) {
      const draft = temp.create(name);
      const finish = draft.finish.bind(draft);
      draft.finish = () => {
        finished();
        return finish();
      };
      return draft;
    },
  };
}

/** Reports the end of the work. A new PDF is then opened again and its pages are counted. */
function tellMade({ steps, finished }: Observer, { name, work }: RunPlan['op'], { result, answered }: RowDone): void {
  const isPdf =
    result.kind === 'bytes'
      ? result.mediaType === PDF
      : result.kind === 'parts' && result.parts.every((part) => part.name.endsWith('.pdf'));
  if (!isPdf || finished === undefined) {
    steps.ended(`${name} done`, answered);
    return;
  }
  steps.ended(work === 'copy' ? 'copied' : 'made', finished);
  steps.ended('checked', answered);
}

/** Throws an engine's failure, with what can be done about it. */
async function explained(error: unknown, plan: RunPlan, placement: ResultPlacement | undefined): Promise<never> {
  if (!(error instanceof Failure)) throw error;
  if (error.salvageable && plan.canSalvage) {
    const hint = 'Write it anew with the program it came from, or take what can be found of it with --salvage.';
    throw error.with({ hint });
  }
  if (error.remains === undefined || placement === undefined) throw error;
  const { keepRemains } = await import('./remains.ts');
  throw await keepRemains(error, placement);
}

function codeOf(result: Result, verdict: RunPlan['op']['verdict']): number {
  if (verdict === undefined || result.kind !== 'record' || result.record[verdict.key] !== false) return DONE;
  return verdict.exit === 'differ' ? DIFFERENT : UNMET;
}

function targetMissed(
  { requireTarget }: RunPlan,
  result: Result,
  written: WrittenFile | undefined,
): string | undefined {
  if (!requireTarget || result.kind !== 'bytes' || result.measurement?.target_reached !== false) return undefined;
  return `the target was not reached: ${written?.path ?? 'the output'} is as small as it gets`;
}
