/**
 * The tools that a service offers at /mcp without a key: what it can do and what that costs. They read no file and no
 * account, and begin no job.
 */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { FAILURES, Failure, type FailureCode } from '../contract/base/failure.ts';
import { type AnyOperation, isOffered, type ServiceOperation } from '../contract/operation.ts';
import { parsePageRange, resolvePages } from '../contract/page-range.ts';
import { describeRange } from '../contract/page-range-words.ts';
import type { RECORDS } from '../contract/records.ts';
import type { AnswerMessage } from '../contract/tools.ts';
import { capabilities, type ServerFacts } from '../derive/capabilities.ts';
import { EXIT_CODES } from '../derive/exit-codes.ts';
import { argumentsSchema, fieldSchema, recordSchema, type Schema } from '../derive/json-schema.ts';
import { describeApi } from '../derive/openapi.ts';
import { minutesOf } from '../flow/estimate.ts';
import { callPrice } from '../flow/price.ts';
import { plain } from '../wire/plain.ts';
import { readToolArguments } from './arguments.ts';
import { answerSchema, costOf, titleOf } from './describe.ts';
import { failureAnswer, failureText } from './failures.ts';
import { memberOf } from './messages.ts';
import type { ToolArguments } from './tool.ts';

export interface HostedSettings extends ServerFacts {
  /** Rows of the service, with its own limits. */
  readonly rows: readonly AnyOperation[];
}

interface HostedTool {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  readonly required?: readonly string[];
  readonly output: Schema;
  run(given: ToolArguments): Record<string, unknown>;
}

const PREFIX = 'pdftool_';
/** How long clients may cache lists: they change only with the version of the service. */
const KEEP = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

export function createHosted(settings: HostedSettings): AnswerMessage {
  const tools = toolsOf(settings);
  const byName = new Map(tools.map((tool) => [`${PREFIX}${tool.name}`, tool]));
  const factory = () => {
    const server = new Server(
      { name: 'pdftool serve', title: 'pdftool serve', version: settings.version },
      {
        capabilities: { tools: {} },
        instructions:
          'What this service can do with PDF files and what that costs. Files are sent to its HTTP interface, or worked on with the local tools of pdftool mcp.',
        cacheHints: { 'tools/list': KEEP, 'server/discover': KEEP },
      },
    );
    // Our schemas are JSON Schema objects; the protocol's type is narrower.
    server.setRequestHandler('tools/list', async () => ({ tools: tools.map(listed) as never }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = byName.get(params.name);
      if (tool === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${plain(params.name.slice(0, 80))}`);
      return answerOf(tool, params.arguments ?? {});
    });
    return server;
  };
  const handler = createMcpHandler(factory, { keepAliveMs: 0 });
  return async (message, headers) => {
    // Nothing here changes, so there is nothing to subscribe to.
    if (memberOf(message, 'method') === 'subscriptions/listen') {
      const error = { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
      const text = JSON.stringify({ jsonrpc: '2.0', id: memberOf(message, 'id') ?? null, error });
      return { status: 404, type: 'application/json', text };
    }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
    const response = await handler.fetch(request, { parsedBody: message });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? undefined,
      text: await response.text(),
    };
  };
}

function answerOf(tool: HostedTool, given: ToolArguments) {
  try {
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(tool.input, name));
    if (unknown !== undefined) {
      const message = `there is no argument ${plain(unknown.slice(0, 80))}; there are ${Object.keys(tool.input).join(', ') || 'none'}`;
      throw new Failure('usage', message);
    }
    const structuredContent = { ok: true, ...tool.run(given) };
    return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {
      content: [{ type: 'text' as const, text: failureText(error) }],
      structuredContent: failureAnswer(error),
      isError: true,
    };
  }
}

function listed({ name, description, input, required = [], output }: HostedTool) {
  const title = titleOf(name);
  return {
    name: `${PREFIX}${name}`,
    title,
    description,
    inputSchema: { type: 'object', properties: input, required, additionalProperties: false },
    outputSchema: answerSchema(output),
    annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

function toolsOf(settings: HostedSettings): HostedTool[] {
  const rows = settings.rows.filter(isOffered);
  const names = rows.map(({ name }) => name);
  const operation = { type: 'string', enum: names, description: 'Name of an operation' };
  // Made once: it takes 30 ms, and asking for it needs no key.
  let document: object | undefined;
  const described = capabilities(rows, settings) as { operations: readonly { name: string; limits: object }[] }; // as it is made
  return [
    {
      name: 'capabilities',
      description:
        'Everything this service can do: operations, prices, limits, workflows and what it does not do. Use it first.',
      input: {},
      output: { operations: { type: 'array', items: { type: 'object' } }, workflows: { type: 'object' } },
      run: () => ({ ...described }),
    },
    {
      name: 'limits',
      description:
        'The limits of one operation, or of all: bytes, pages, files, characters. Use it before a file is sent.',
      input: { operation },
      output: { limits: { type: 'object', description: 'By operation; sizes in bytes' } },
      run: (given) => {
        const only = given.operation === undefined ? undefined : rowNamed(rows, given.operation).name;
        const wanted = described.operations.filter(({ name }) => only === undefined || name === only);
        return { limits: Object.fromEntries(wanted.map(({ name, limits }) => [name, limits])) };
      },
    },
    estimateCost(rows, operation),
    {
      name: 'describe_operation',
      description:
        'How an operation is called over HTTP: method, path, fields, what comes back, how it fails, whether it may be repeated.',
      input: { operation },
      required: ['operation'],
      output: {
        method: { type: 'string' },
        path: { type: 'string' },
        fields: { type: 'object' },
        returns: { type: 'array', items: { type: 'object' } },
      },
      run: (given) => operationRecord(rowNamed(rows, given.operation)),
    },
    EXPLAIN_ERROR,
    EXPLAIN_PAGE_RANGE,
    {
      name: 'openapi',
      description:
        'The machine-readable description of the HTTP interface (OpenAPI 3.1), whole. describe_operation is shorter.',
      input: {},
      output: { document: { type: 'object' } },
      run: () => ({ document: (document ??= describeApi(rows)) }),
    },
  ];
}

function estimateCost(rows: readonly ServiceOperation[], operation: Schema): HostedTool {
  return {
    name: 'estimate_cost',
    description:
      'What an operation would cost in credits. For speech give minutes, or the characters of the text; without them it is the most that it can be.',
    input: { operation, ...propertiesOf(ESTIMATE) },
    required: ['operation'],
    output: {
      credits: { type: 'number' },
      at_most: { type: 'boolean' },
      why: { type: 'string' },
      words: { type: 'string' },
    },
    run: (given) => {
      const op = rowNamed(rows, given.operation);
      const { minutes, characters, output_format, max_credits } = readToolArguments(ESTIMATE, given);
      const estimated = minutes ?? (characters === undefined ? undefined : minutesOf(characters));
      const price = callPrice(op, { output_format, maxCredits: max_credits ?? 1 }, estimated);
      return { credits: price.credits, at_most: price.atMost, why: price.why, words: costOf(op.cost) };
    },
  };
}

const EXPLAIN_ERROR: HostedTool = {
  name: 'explain_error',
  description: 'What an error means and what to do: give its code (_meta.code of an error record) or its HTTP status.',
  input: {
    code: { type: 'string', enum: Object.keys(FAILURES), description: 'Code of the error' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status' },
  },
  output: { errors: { type: 'array', items: { type: 'object' } } },
  run: (given) => ({ errors: errorsFor(given) }),
};

const whole = (least: number, most: number, about: string) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(about)));

const ESTIMATE = v.looseObject({
  minutes: whole(1, 10_000, 'Minutes of sound'),
  characters: whole(0, 100_000_000, 'Characters of the text to be spoken'),
  output_format: v.optional(v.pipe(v.string(), v.description('Such as mp3, m4b or mp4'))),
  max_credits: whole(1, 100, 'Budget of a workflow'),
});

const RANGE = v.looseObject({
  range: v.pipe(v.string(), v.nonEmpty(), v.maxLength(500), v.description('Such as 1-3,7 or r2 or x5 or :odd')),
  page_count: whole(1, 100_000, 'Pages of the document'),
});

function propertiesOf(schema: v.GenericSchema): Schema {
  return argumentsSchema(schema).properties as Schema; // an object has properties
}

const EXPLAIN_PAGE_RANGE: HostedTool = {
  name: 'explain_page_range',
  description:
    'Which pages a page range means, in words, and as numbers where the page count is given. Use it when a range is not certain.',
  input: propertiesOf(RANGE),
  required: ['range'],
  output: {
    words: { type: 'array', items: { type: 'string' } },
    pages: { type: 'array', items: { type: 'integer' } },
    count: { type: 'integer' },
  },
  run: (given) => {
    const { range, page_count } = readToolArguments(RANGE, given);
    const parsed = parsePageRange(range);
    const words = describeRange(parsed);
    if (page_count === undefined) return { words };
    const parts = parsed.groups.reduce((sum, { without }) => sum + 1 + without.length, 0);
    const most = Math.floor(MOST_LISTED / parts);
    if (page_count > most)
      throw new Failure('usage', `page_count: expected at most ${most} for a range of ${parts} parts`);
    const pages = resolvePages(parsed, page_count);
    return { words, count: pages.length, pages: pages.slice(0, MOST_PAGES) };
  },
};

/** Pages that all parts of a range may list together: some 10 ms of work, which needs no key. */
const MOST_LISTED = 100_000;

/** Page numbers in an answer; `count` gives the total. */
const MOST_PAGES = 1_000;

const ERROR = v.looseObject({ code: v.optional(v.string()), status: v.optional(v.number()) });

function rowNamed(rows: readonly ServiceOperation[], name: unknown): ServiceOperation {
  const row = rows.find(
    (op) => op.name === name || op.aliases.includes(String(name)) || Object.hasOwn(op.tools, String(name)),
  );
  if (row !== undefined) return row;
  throw new Failure('usage', `operation: expected one of ${rows.map((op) => op.name).join(', ')}`);
}

function operationRecord(op: ServiceOperation): Record<string, unknown> {
  const { name, method, path, pathAliases, summary, body, cost, limits, replay, disabled } = op;
  const required = Object.entries(op.input).filter(([, field]) => field.required);
  return {
    operation: name,
    summary,
    method,
    path,
    aliases: pathAliases,
    body,
    fields: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(op.input).map(([key, field]) => [key, fieldSchema(field)])),
      required: required.map(([key]) => key),
    },
    returns: Object.values(op.outputs).map((output) => ({
      media_type: output.mediaType,
      ...('record' in output ? { schema: recordSchema(output.record as keyof typeof RECORDS) } : {}), // a row names one
    })),
    errors: [...new Set(op.failures.map((code) => FAILURES[code].status))].sort((a, b) => a - b),
    cost: costOf(cost),
    limits: limits ?? {},
    repeat: REPEAT[replay],
    ...(disabled === undefined ? {} : { disabled }),
  };
}

const REPEAT: Readonly<Record<ServiceOperation['replay'], string>> = {
  safe: 'It may be sent again.',
  free: 'It costs nothing and may be sent again.',
  never:
    'It is charged and has no key against repetition: where the answer is lost, look at the account before it is sent again.',
  keyed: 'It may be sent again with the same Idempotency-Key: the same key finds the same job.',
};

function errorsFor(given: ToolArguments): object[] {
  const { code, status } = readToolArguments(ERROR, given);
  const codes = (Object.keys(FAILURES) as FailureCode[]).filter(
    (known) => (code === undefined || known === code) && (status === undefined || FAILURES[known].status === status),
  );
  if (codes.length === 0 || (code === undefined && status === undefined)) {
    const message = `expected a code of ${Object.keys(FAILURES).join(', ')}, or an HTTP status that one of them has`;
    throw new Failure('usage', message);
  }
  return codes.map((example) => ({
    code: example,
    status: FAILURES[example].status,
    exit_code: FAILURES[example].exit,
    meaning: EXIT_CODES[FAILURES[example].exit] ?? '',
  }));
}
