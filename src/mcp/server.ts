/** The Model Context Protocol server: lists, calls, results to read. Transports are elsewhere. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Failure } from '../contract/base/failure.ts';
import { isRecord } from '../contract/base/present.ts';
import { plain } from '../wire/plain.ts';
import { failureAnswer, failureText } from './failures.ts';
import { memberOf } from './messages.ts';
import { steps } from './progress.ts';
import { linkOf, type Outputs } from './resources.ts';
import { type Asking, AskPerson } from './spending.ts';
import type { SharedState, Tool, ToolAnswer } from './tool.ts';

export interface ServerSettings {
  readonly version: string;
  readonly prefix: string;
  readonly tools: readonly Tool[];
  readonly outputs: Outputs;
  readonly shared: SharedState;
  failureOf(error: unknown, signal: AbortSignal): Failure;
}

const INSTRUCTIONS =
  'Tools for PDF files on this machine. Paths are files inside the allowed folders; first_run_checklist names them. Results are written to new files: the answer has their path, and a resource link to read them. Nothing is replaced unless a call asks for it. An error says whether something was charged; where that is unknown, do not repeat the call.';

export function listedTools({ tools, prefix }: Pick<ServerSettings, 'tools' | 'prefix'>): ListedTool[] {
  return tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name: `${prefix}${name}`,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: { title, ...annotations },
  }));
}

export type ListedTool = Omit<Tool, 'run' | 'annotations'> & { annotations: Tool['annotations'] & { title: string } };

export function createServer(settings: ServerSettings): McpServerFactory {
  const { version, prefix, tools, outputs, shared } = settings;
  /** Results of cancelled calls: reported once, and not in an answer that is cancelled too. */
  const notesFor = ({ mcpReq }: ServerContext) =>
    shared.notices.length === 0 || mcpReq.signal.aborted ? {} : { notes: shared.notices.splice(0) };
  const byName = new Map(tools.map((tool) => [`${prefix}${tool.name}`, tool]));
  return ({ era }) => {
    const server = new Server(
      { name: 'pdftool', title: 'pdftool', version },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    // Our schemas are JSON Schema objects; the protocol's type is narrower.
    server.setRequestHandler('tools/list', async () => ({ tools: listedTools(settings) as never }));
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const tool = byName.get(params.name);
      if (tool === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${plain(params.name.slice(0, 80))}`);
      const signal = AbortSignal.any([ctx.mcpReq.signal, shared.stop]);
      const asking = askingOf(ctx, era === 'modern' ? undefined : server);
      const progress = steps((step) => void notify(ctx, step), shared.clock);
      try {
        const answer = await tool.run(params.arguments ?? {}, { signal, asking, progress });
        return resultOf(answer, notesFor(ctx), outputs);
      } catch (error) {
        if (error instanceof AskPerson) return question(error);
        const failure = settings.failureOf(error, signal);
        return {
          content: [{ type: 'text', text: failureText(failure) }],
          structuredContent: { ...failureAnswer(failure), ...notesFor(ctx) },
          isError: true,
        };
      }
    });
    server.setRequestHandler('resources/list', async () => ({ resources: outputs.list() }));
    server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', async ({ params }, ctx) => {
      if (!outputs.has(params.uri)) throw new ResourceNotFoundError(plain(params.uri.slice(0, 200)));
      try {
        return { contents: [outputs.read(params.uri)] };
      } catch (error) {
        const failure = settings.failureOf(error, ctx.mcpReq.signal);
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, failureText(failure));
      }
    });
    return server;
  };
}

/** Links in an answer; the folder is named in any case. */
const MOST_LINKS = 20;

function resultOf({ record, files = [] }: ToolAnswer, notes: object, outputs: Outputs) {
  const structuredContent = { ...record, ...notes };
  for (const file of files) outputs.add(file);
  const links = files.slice(0, MOST_LINKS).map((file) => ({ type: 'resource_link' as const, ...linkOf(file) }));
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }, ...links], structuredContent };
}

async function notify({ mcpReq }: ServerContext, step: object): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || mcpReq.signal.aborted) return;
  try {
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } });
  } catch {
    // A client that has gone needs no progress; the call itself is ended by its signal.
  }
}

const YES = 'yes';
const QUESTION = 'spend-';

/** `legacy`: the server of an older client, which states its capabilities once; newer ones state them with each call. */
function askingOf({ mcpReq }: ServerContext, legacy: Server | undefined): Asking {
  // The package's type of the envelope names none of its keys.
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const declared = legacy === undefined ? envelope[CLIENT_CAPABILITIES_META_KEY] : legacy.getClientCapabilities();
  const elicitation = memberOf(declared, 'elicitation');
  // An empty object means forms: clients sent it before there were other ways of asking.
  const canAsk = isRecord(elicitation) && ('form' in elicitation || Object.keys(elicitation).length === 0);
  const key = Object.keys(mcpReq.inputResponses ?? {}).find((id) => id.startsWith(QUESTION));
  if (key === undefined) return { answer: undefined, canAsk };
  const answer = inputResponse(mcpReq.inputResponses, key);
  const yes = answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.[YES] === true;
  return { answer: { token: key.slice(QUESTION.length), yes }, canAsk };
}

function question({ token, message }: AskPerson) {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [YES]: { type: 'boolean' as const, title: 'Spend these credits', description: message } },
    required: [YES],
  };
  return inputRequired({
    inputRequests: { [`${QUESTION}${token}`]: inputRequired.elicit({ message, requestedSchema }) },
  });
}
