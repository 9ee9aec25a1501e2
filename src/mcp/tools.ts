/** The list of tools: one for each name in the `tools` of a row, and a few without a row. */
import { Failure } from '../contract/base/failure.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { TOOLS_WITHOUT_ROW } from '../contract/tools.ts';
import { inputSchema } from './arguments.ts';
import { callTool } from './call-row.ts';
import { checklist } from './checklist.ts';
import { answerSchema, descriptionOf, FILE_ANSWER, outputSchema, titleOf, toolAnnotations } from './describe.ts';
import { jobDownloadTool, jobStatusTool, WORKFLOW_INPUT, workflowSubmit } from './jobs.ts';
import { speechCost } from './speech-cost.ts';
import type { Shape, SharedState, Tool, ToolAnswer, ToolCall } from './tool.ts';

/** Tools that do more than call their row, by the name of the tool or of the row. */
const STEPS: Readonly<Record<string, (call: ToolCall) => Promise<ToolAnswer>>> = {
  'job-status': jobStatusTool,
  'job-download': jobDownloadTool,
  'workflow-create': workflowSubmit,
  'workflow-status': jobStatusTool,
  workflow_download: jobDownloadTool,
};

export function toolsOf(rows: readonly AnyOperation[], shared: SharedState): Tool[] {
  const ofRows = rows.flatMap((op) => Object.keys(op.tools).map((name) => rowTool(name, op, shared)));
  const named = new Set(ofRows.map(({ name }) => name));
  const absent = Object.keys(TOOLS_WITHOUT_ROW).filter(
    (name) => !named.has(name) && TOOLS_WITHOUT_ROW[name as keyof typeof TOOLS_WITHOUT_ROW] === undefined,
  );
  const refusals = () =>
    Object.fromEntries(
      rows.flatMap((op) => {
        const why = shared.engineFor(op).refuses(op);
        return why === undefined ? [] : Object.keys(op.tools).map((name) => [name, why]);
      }),
    );
  return [
    ...ofRows,
    ...absent.map((name) => absentTool(name)),
    speechCost(shared),
    checklist(shared, absent, refusals),
  ];
}

function rowTool(name: string, op: AnyOperation, shared: SharedState): Tool {
  const shape: Shape = {
    op,
    tool: op.tools[name] ?? {},
    engine: shared.engineFor(op).name,
    overwrite: shared.overwrite,
  };
  const run = STEPS[name] ?? STEPS[op.name] ?? callTool;
  const downloads = run === jobDownloadTool;
  const asked = downloads ? { ...shape, op: asDownload(op) } : shape;
  return {
    name,
    title: titleOf(name),
    description: descriptionOf(shape, shared.engineFor(op).refuses(op)),
    inputSchema: run === workflowSubmit ? WORKFLOW_INPUT : inputSchema(asked),
    outputSchema: downloads
      ? answerSchema({ ...FILE_ANSWER, ...JOB })
      : run === jobStatusTool || run === workflowSubmit
        ? answerSchema(JOB)
        : outputSchema(op),
    annotations: downloads
      ? { ...toolAnnotations(shape), readOnlyHint: false, idempotentHint: false }
      : toolAnnotations(shape),
    async run(given, call) {
      const why = shared.engineFor(op).refuses(op);
      if (why !== undefined && run !== callTool)
        throw new Failure('unavailable', `${name} is not available here: ${why}`, { hint: KEY_HINT });
      return run({ ...call, name, given, shared, shape: asked });
    },
  };
}

const KEY_HINT =
  'It needs the service: a person can set a key and a base URL (pdftool auth login), or PDFTOOL_API_KEY and PDFTOOL_BASE_URL.';

const JOB = {
  job_id: { type: 'string' },
  status: { type: 'string', description: "The service's own word" },
  phase: { enum: ['queued', 'running', 'succeeded', 'failed'] },
  percent: { type: 'number' },
  error_code: { type: ['string', 'null'] },
  error_message: { type: ['string', 'null'] },
};

/** A status row whose tool fetches the result, so that it takes the name of an output as well. */
function asDownload(op: AnyOperation): AnyOperation {
  return {
    ...op,
    outputs: { result: { kind: 'bytes', mediaType: 'application/octet-stream', stem: { fixed: 'result' } } },
  };
}

/** A tool that SERVICE.md names without an endpoint: it answers that it is not available. */
function absentTool(name: string): Tool {
  const message = `${name} is not available: neither this build of pdftool nor the service has an operation for it`;
  return {
    name,
    title: titleOf(name),
    description: `Not available here: neither this build of pdftool nor the service has an operation for ${titleOf(name)}.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Path of the PDF' } } },
    outputSchema: answerSchema({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run() {
      throw new Failure('unavailable', message);
    },
  };
}
