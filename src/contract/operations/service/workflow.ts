import { integer, object, required, text } from '../../field.ts';
import { LIMITS } from '../../limits.ts';
import { JSON_TYPE, PDF, ZIP } from '../../media.ts';
import { operation } from '../../operation.ts';
import { ASKED } from '../../shared-entries.ts';

const ON_SERVICE = 'workflow jobs run on the service';

const job = { kind: 'record', mediaType: JSON_TYPE, record: 'workflow-job' } as const;

export const workflowCreate = operation({
  name: 'workflow-create',
  surface: 'internal',
  group: 'service',
  method: 'POST',
  path: '/api/v1/workflow-jobs',
  summary: 'Create a workflow job and its upload session',
  work: 'none',
  cost: { reserves: 'maxCredits' },
  body: 'json',
  headers: { 'Idempotency-Key': text('A repeated key for the same request returns the existing job') },
  input: {
    workflow: required(text('Workflow', { seen: ['source_pack'] })),
    inputBytes: required(integer('Exact byte count to be uploaded', { min: 1 })),
    options: object('Options of the workflow'),
    maxCredits: required(
      integer('Budget, reserved before queueing', {
        min: LIMITS.workflowCredits,
        max: LIMITS.workflowFolderCreditsMax,
      }),
    ),
  },
  outputs: { record: job },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'keyed',
  tools: {
    workflow_submit: {
      when: 'Use it for files that the other tools refuse as too large, and for folders as a ZIP: the file is uploaded and the job queued.',
    },
  },
  local: ON_SERVICE,
});

export const workflowFinalize = operation({
  name: 'workflow-finalize',
  surface: 'internal',
  group: 'service',
  method: 'POST',
  path: '/api/v1/workflow-jobs/:uploadId',
  summary: 'Finalize an upload, which queues its job',
  work: 'none',
  cost: { reserves: 'maxCredits' },
  body: 'none',
  input: { uploadId: required(text('Upload id')) },
  outputs: { record: job },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'not_found', 'conflict', 'unprocessable'],
  replay: 'keyed',
  local: ON_SERVICE,
});

export const workflowStatus = operation({
  ...ASKED,
  name: 'workflow-status',
  surface: 'internal',
  group: 'service',
  path: '/api/v1/workflow-jobs/:jobId',
  summary: 'Poll a workflow job',
  input: { jobId: required(text('Job id')) },
  outputs: { record: job },
  failures: ['unauthenticated', 'not_found'],
  tools: {
    workflow_status: {
      when: 'Use it with the job_id of workflow_submit, every ten seconds or so, until it succeeds or fails.',
    },
    workflow_download: { when: 'Use it when workflow_status says that the job has succeeded.' },
  },
  local: ON_SERVICE,
});

/** Inputs and outputs of each workflow. Only source_pack is named in SERVICE.md: a setting may replace the other names. */
export const WORKFLOWS = {
  compress: {
    input: PDF,
    output: PDF,
    inputBytes: LIMITS.workflowCompressInput,
    maxCredits: [LIMITS.workflowCredits, LIMITS.workflowCredits],
  },
  folder: {
    input: ZIP,
    output: ZIP,
    inputBytes: LIMITS.workflowFolderInput,
    files: [LIMITS.workflowFolderFilesMin, LIMITS.workflowFolderFilesMax],
    maxCredits: [LIMITS.workflowCredits, LIMITS.workflowFolderCreditsMax],
  },
  source_pack: {
    input: PDF,
    output: ZIP,
    inputBytes: LIMITS.workflowSourcePackInput,
    pages: LIMITS.workflowSourcePackPages,
    maxCredits: [LIMITS.workflowCredits, LIMITS.workflowCredits],
  },
  /** Runs the operations of `steps` one after the other. An extension of pdftool serve. */
  steps: {
    input: PDF,
    output: '*/*',
    inputBytes: LIMITS.workflowRedactionInput,
    maxCredits: [LIMITS.workflowCredits, LIMITS.workflowFolderCreditsMax],
  },
  redaction: {
    input: PDF,
    output: PDF,
    inputBytes: LIMITS.workflowRedactionInput,
    pages: LIMITS.workflowRedactionPages,
    regions: [LIMITS.redactionRegionsMin, LIMITS.redactionRegionsMax],
    /** Options that name what to remove: they are never stored. */
    secret: ['find', 'regex'],
    maxCredits: [LIMITS.workflowCredits, LIMITS.workflowCredits],
  },
} as const;

export type WorkflowKind = keyof typeof WORKFLOWS;
/** The service's names of workflows by kind, where settings give them. */
type WorkflowNames = Readonly<Record<string, string | undefined>>;

export function workflowName(names: WorkflowNames, kind: WorkflowKind): string {
  return names[kind] ?? kind;
}

/** The kind of a workflow by the service's name; undefined for other names, whose limits are not known. */
export function workflowKind(names: WorkflowNames, name: string): WorkflowKind | undefined {
  return (Object.keys(WORKFLOWS) as WorkflowKind[]).find((kind) => workflowName(names, kind) === name);
}
