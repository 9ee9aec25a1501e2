import { join, resolve } from 'node:path';
import { closing } from '../../../contract/base/closing.ts';
import { FAILURES, Failure } from '../../../contract/base/failure.ts';
import type { Context, RandomAccess, Values } from '../../../contract/base/ports.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { JSON_TYPE, PDF, ZIP } from '../../../contract/media.ts';
import { WORKFLOWS, type WorkflowKind, workflowCreate } from '../../../contract/operations/service/workflow.ts';
import { assertPassed, checkRecord, type LimitCheck } from '../../../flow/check.ts';
import type { JobFile, JobPorts, PaidRequest } from '../../../flow/job-ports.ts';
import type { JournalEntry } from '../../../flow/journal.ts';
import { checkWorkflow } from '../../../flow/workflow-checks.ts';
import { openWorkflow, submitWorkflow } from '../../../flow/workflow-job.ts';
import { openOne } from '../../../runtime/files/inputs/inputs.ts';
import { fileTarget } from '../../../runtime/files/outputs/target.ts';
import type { Workspace } from '../../../runtime/files/outputs/workspace.ts';
import type { Settings } from '../../../runtime/settings/settings.ts';
import { printableLine } from '../../../runtime/terminal/printable.ts';
import { identifyNamed } from '../../engines/journal.ts';
import { localProbe } from '../../engines/local.ts';
import { followJobs } from '../../jobs/follow.ts';
import { type OwnCall, recordContext } from '../../line/call.ts';
import { readFollowOptions } from '../../line/grammar.ts';
import { openWatcher } from '../../line/watcher.ts';

export interface WorkflowRequest {
  readonly operation: string;
  /** The workflow of SERVICE.md, whose limits apply; left out for other names. */
  readonly kind?: WorkflowKind | undefined;
  readonly name: string;
  readonly file: string;
  /** The bytes to send in place of the file, such as a ZIP of a folder. */
  readonly source?: RandomAccess;
  readonly options: Values;
  readonly credits?: number;
  readonly output: string;
}

export async function postWorkflow(
  call: OwnCall,
  ports: JobPorts,
  settings: Settings,
  workspace: Workspace,
  asked: WorkflowRequest,
): Promise<number> {
  const { flags, messages } = call;
  const source = asked.source ?? (await openOne(asked.file, workspace, call.signal));
  const credits =
    flags.maxCredits !== undefined && asked.kind === 'folder'
      ? flags.maxCredits
      : (asked.credits ?? LIMITS.workflowCredits);
  const ctx = contextFor(call, workspace);
  const { operation, kind } = asked;
  const checks = await checkWorkflow(operation, kind, source, credits, settings.maxCredits, ctx, localProbe);
  const path = flags.output ?? join(settings.outputDir ?? '', asked.output);
  if (flags.plan) return showWorkflowPlan(call, asked, source, credits, checks, path);
  assertPassed(checks);
  const isFile = asked.source === undefined || asked.source.name === asked.file;
  const file = isFile
    ? identifyNamed(source, asked.file)
    : { ...identifyNamed(source, '-'), path: resolve(asked.file) };
  const key = call.options.idempotencyKey;
  const result_type = resultType(asked);
  const [unwritten, options] = partOptions(asked);
  const request: PaidRequest = {
    kind: 'workflow',
    operation: asked.operation,
    files: [file],
    fields: {
      workflow: asked.name,
      options,
      media_type: asked.kind === 'folder' || /zip$/i.test(asked.file) ? ZIP : PDF,
      ...(result_type === undefined ? {} : { result_type }),
    },
    unwritten,
    credits,
    ...(path === '-' ? {} : { output: { path: resolve(path), force: flags.force } }),
    ...(typeof key === 'string' ? { key } : {}),
  };
  const { entry, found } = openWorkflow(ports, request);
  if (found)
    messages.note(
      `going on with ${entry.id}, begun ${new Date(entry.begun).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    );
  // Checked before anything is charged; a result of an earlier run belongs to this one.
  else if (path !== '-') refuseTaken(ports, entry, path, flags.force);
  const submitted = await submit(call, ports, entry, file, workspace, unwritten);
  return finishWorkflow(call, ports, submitted);
}

/** Submits a file; a stop reports how to continue. */
export async function submit(
  call: OwnCall,
  ports: JobPorts,
  entry: JournalEntry,
  file: JobFile,
  workspace: Workspace,
  unwritten?: PaidRequest['unwritten'],
): Promise<JournalEntry> {
  const { flags, signal } = call;
  using watcher = closing(openWatcher(call, flags, entry.operation));
  try {
    const ctx = {
      ...contextFor(call, workspace),
      progress: watcher.progress,
      detail: flags.verbose ? watcher.line : () => {},
    };
    return await submitWorkflow(ports, entry, file, ctx, unwritten);
  } catch (error) {
    const reason: unknown = signal.reason;
    if (!signal.aborted || !(reason instanceof Failure)) throw error;
    throw new Failure(reason.code, `${reason.message}; nothing was charged`, {
      hint: `Go on with: pdftool workflow resume ${entry.id}`,
      cause: error,
    });
  }
}

async function finishWorkflow(call: OwnCall, ports: JobPorts, entry: JournalEntry): Promise<number> {
  const { options, flags, streams, messages } = call;
  if (options.detach !== true)
    return followJobs(ports, [entry], readFollowOptions(options, { soon: false, draw: options.wait !== true }), call);
  const { id, job_id, operation, status } = entry;
  if (flags.json) streams.json({ ok: true, operation, engine: 'remote', id, job_id, status });
  else streams.out(`${job_id ?? id}\n`);
  messages.note(`watch it with: pdftool jobs watch ${id}`);
  return 0;
}

/** Splits options into those that must not be in the journal and the others. */
function partOptions({ options, kind }: WorkflowRequest) {
  const secret: readonly string[] = kind === 'redaction' ? WORKFLOWS.redaction.secret : [];
  const those = Object.entries(options).filter(([name]) => secret.includes(name));
  const others = Object.entries(options).filter(([name]) => !secret.includes(name));
  return [those.length === 0 ? undefined : Object.fromEntries(those), Object.fromEntries(others)] as const;
}

/** The media type of the result, where it is known. */
function resultType({ kind, options }: WorkflowRequest): string | undefined {
  if (kind === 'steps') return undefined;
  if (options.mode === 'inspect') return JSON_TYPE;
  return kind === undefined ? undefined : WORKFLOWS[kind].output;
}

function refuseTaken({ journal }: JobPorts, entry: JournalEntry, path: string, force: boolean): void {
  try {
    fileTarget(path, force, []);
  } catch (error) {
    journal.forget(entry);
    throw error;
  }
}

function contextFor(call: OwnCall, workspace: Workspace): Context {
  return { ...recordContext(call), temp: workspace.temp({ name: 'a workflow job' }) };
}

function showWorkflowPlan(
  { flags, streams }: OwnCall,
  { operation, name, options }: WorkflowRequest,
  { name: file, size }: RandomAccess,
  credits: number,
  checks: readonly LimitCheck[],
  output: string,
): number {
  const ok = checks.every(({ failure }) => failure === undefined);
  const { method, path } = workflowCreate;
  if (flags.json) {
    const plan = {
      operation,
      engine: 'remote',
      request: {
        method,
        path,
        fields: { workflow: name, inputBytes: size, options, maxCredits: credits },
        files: [{ name: file, bytes: size }],
      },
      checks: checks.map(checkRecord),
      price: { credits, at_most: true, why: 'reserved when the job is queued; what is not used is returned' },
      output,
    };
    streams.json({ ok, plan });
  } else {
    const lines = [
      `Command  ${operation}`,
      'Engine   remote',
      `Writes   ${output}`,
      `Sends    ${method} ${path} (${name}), PUT of ${size} bytes of ${file}, POST ${path}/:uploadId`,
      ...checks.map(
        ({ what, limit, found, failure }) =>
          `Checks   ${what}: ${limit}; ${found}${failure === undefined ? '' : ' (refused)'}`,
      ),
      `Charges  up to ${credits} credits (reserved when the job is queued; what is not used is returned)`,
    ];
    streams.out(`${lines.map(printableLine).join('\n')}\n`);
  }
  return ok ? 0 : FAILURES.refused.exit;
}
