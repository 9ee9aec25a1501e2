/** Tools for jobs of the service: status, results, and submitting workflow jobs. */
import * as v from 'valibot';
import { atEnd, closing } from '../contract/base/closing.ts';
import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import { EXTENSIONS, JSON_TYPE, PDF, ZIP } from '../contract/media.ts';
import { WORKFLOWS, workflowKind } from '../contract/operations/service/workflow.ts';
import { argumentsSchema, type Schema } from '../derive/json-schema.ts';
import { assertPassed } from '../flow/check.ts';
import { type JobPorts, type PaidRequest, requestDigest } from '../flow/job-ports.ts';
import { downloadResult } from '../flow/job-result.ts';
import type { JobState } from '../flow/job-state.ts';
import type { JournalEntry } from '../flow/journal.ts';
import { adoptJob, findAnyJob } from '../flow/unknown-job.ts';
import { askJob, jobFailure, note } from '../flow/watch-job.ts';
import { checkWorkflow } from '../flow/workflow-checks.ts';
import { openWorkflow, submitWorkflow } from '../flow/workflow-job.ts';
import { placeResult } from '../runtime/rows/place-result.ts';
import { readArguments, readToolArguments } from './arguments.ts';
import { fileRecord } from './call-row.ts';
import { placementAt, refuseName } from './outputs.ts';
import { spend } from './paid.ts';
import { contextOf, type ToolAnswer, type ToolCall } from './tool.ts';

export async function jobStatusTool(call: ToolCall): Promise<ToolAnswer> {
  const { shape, given, shared } = call;
  const { values } = readArguments(shape, given);
  const ports = await shared.jobPorts();
  const id = String(values.id ?? values.jobId);
  const { entry, state } = await stateOf(ports, id, withoutFiles(call));
  return { record: { ...state.record, ok: true, ...summaryOf(entry, state) } };
}

export async function jobDownloadTool(call: ToolCall): Promise<ToolAnswer> {
  const { shape, given, shared } = call;
  const asked = readArguments(shape, given);
  const ports = await shared.jobPorts();
  const ctx = withoutFiles(call);
  const { entry, state } = await stateOf(ports, String(asked.values.id ?? asked.values.jobId), ctx);
  if (state.phase === 'failed') throw jobFailure(entry, state);
  if (state.phase !== 'succeeded') {
    throw new Failure('pending', `${entry.operation} ${idOf(entry)} is ${state.status}: there is no result yet`, {
      hint: 'Ask for its status again in ten seconds.',
    });
  }
  const place = shared.sandbox.place(asked.output, `${stemOf(entry)}.part`, asked.overwrite && shape.overwrite);
  using _ = atEnd(() => place.folder.close());
  using workspace = closing(shared.sandbox.workspace());
  const named = asked.output !== undefined;
  if (named) refuseName(place);
  const temp = workspace.temp({ parent: place.folder.path, name: place.name });
  const { body, mediaType, pages } = await downloadResult(ports, entry, state, { ...ctx, temp });
  if (entry.kind === 'speech' && mediaType === JSON_TYPE) {
    throw new Failure('server', `${entry.operation}: the result is called ${mediaType}, and a sound was expected`);
  }
  const name = named ? place.name : `${stemOf(entry)}.${EXTENSIONS[mediaType]?.[0] ?? 'bin'}`;
  const placement = placementAt({ ...place, name }, workspace, call.signal);
  const result = { kind: 'bytes', body, mediaType, ...(pages === undefined ? {} : { pages }) } as const;
  const written = await placeResult(result, placement);
  if (written === undefined) throw new TypeError('a file has a place');
  const file = { ...written, mediaType };
  const { path, bytes, sha256 = '' } = file;
  ports.journal.add(entry, { step: 'delivered', result: { path, bytes, sha256 } });
  return { record: { ok: true, ...summaryOf(entry, state), ...fileRecord(file) }, files: [file] };
}

const NAMES = Object.keys(WORKFLOWS).join(', ');
const OPTIONS =
  'Options of the workflow, such as {"mode":"rag"} for source_pack, or {"mode":"inspect"} for redaction; its apply mode needs reviewed, sourceSha256 and regions that a person has looked at';
const BUDGET = 'Budget that is set aside when the job is queued: 1, and up to 100 for a folder';
const KEY = 'Names this request: the same key finds the same job. Left out, one is made and kept.';
const name = v.pipe(v.string(), v.nonEmpty());
const credits = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(WORKFLOWS.folder.maxCredits[1]));

const WORKFLOW = v.strictObject({
  workflow: v.pipe(name, v.description(`What is to be done, by the service's own name for it: ${NAMES}`)),
  path: v.pipe(name, v.description('Path of the PDF, or of the ZIP for the folder workflow')),
  options: v.optional(v.pipe(v.looseObject({}), v.description(OPTIONS)), {}),
  max_credits: v.optional(v.pipe(credits, v.description(BUDGET), v.metadata({ default: 1 }))),
  idempotency_key: v.optional(v.pipe(name, v.maxLength(200), v.description(KEY))),
});

export const WORKFLOW_INPUT: Schema = argumentsSchema(WORKFLOW);

/** Uploads a file and submits a workflow job; repeating the call continues where an earlier one stopped. */
export async function workflowSubmit(call: ToolCall): Promise<ToolAnswer> {
  const { name, given, shared } = call;
  const { workflow, path, options, max_credits: most, idempotency_key: key } = readToolArguments(WORKFLOW, given);
  const credits = most ?? 1;
  const ports = await shared.jobPorts();
  return shared.sandbox.withWorkspace(async (workspace) => {
    const opened = shared.sandbox.source(path, [PDF, ZIP], workspace);
    const file = shared.identify(opened.source, opened.path);
    const kind = workflowKind(shared.workflowNames, workflow);
    const ctx = contextOf(call, workspace.temp({ name }));
    const checks = await checkWorkflow(workflow, kind, opened.source, credits, undefined, ctx, shared.probe);
    assertPassed(checks);
    const ask: PaidRequest = {
      kind: 'workflow',
      operation: `workflow ${workflow}`,
      files: [file],
      fields: { workflow, options, media_type: /\.zip$/i.test(opened.path) ? ZIP : PDF },
      credits,
      ...(key === undefined ? {} : { key }),
    };
    const price = { credits, atMost: true, why: 'set aside when the job is queued; what is not used is returned' };
    const charge = { tool: name, given, price, most };
    return spend(charge, call, async (_, reserve) => {
      const before = ports.journal.find('workflow', requestDigest(ports, ask));
      // A job that the service has already accepted was paid for when it was sent.
      if (before?.step !== 'accepted') reserve();
      const { entry, found } = openWorkflow(ports, ask);
      // An upload may be given up: nothing is charged before the job is queued, and the same call continues it.
      const submitted = await submitWorkflow(ports, entry, file, ctx);
      const record = {
        ok: true,
        operation: submitted.operation,
        engine: 'remote',
        job_id: idOf(submitted),
        status: submitted.status ?? submitted.step,
        max_credits: credits,
        ...(found ? { warnings: [`this request was begun before, as ${submitted.id}; it went on`] } : {}),
      };
      return { answer: { record }, used: undefined };
    });
  });
}

/** The journal entry of a job and its state; a job begun elsewhere gets an entry. */
async function stateOf(ports: JobPorts, id: string, ctx: Context): Promise<{ entry: JournalEntry; state: JobState }> {
  const entry = ports.journal.lookUp(id) ?? adoptJob(ports, await findAnyJob(ports, id, ctx));
  if (entry.job_id === undefined) {
    const message = `the service is not known to have ${entry.operation} ${entry.id}: it came as far as '${entry.step}'`;
    throw new Failure('conflict', message, { hint: 'Make the same call again: it goes on where it stopped.' });
  }
  const { state } = await askJob(ports, entry, ctx);
  return { entry: note(ports, entry, state), state };
}

function summaryOf(entry: JournalEntry, { phase, status, percent }: JobState): Record<string, unknown> {
  return {
    job_id: idOf(entry),
    operation: entry.operation,
    engine: 'remote',
    status,
    phase,
    ...(percent === undefined ? {} : { percent }),
  };
}

function idOf({ job_id, id }: JournalEntry): string {
  return job_id ?? id;
}

function stemOf(entry: JournalEntry): string {
  const file = entry.files[0]?.name;
  const base = file?.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).replace(/\.[^.]*$/, '');
  const stem = (base ?? idOf(entry)).replace(/[^\p{L}\p{N} ._-]/gu, '_').replace(/^[. ]+/, '');
  return stem === '' ? 'result' : stem;
}

function withoutFiles(call: ToolCall): Context {
  return contextOf(call, {
    create: () => {
      throw new TypeError('a status is a record and needs no file');
    },
  });
}
