import type {
  ByteSource,
  Clock,
  Context,
  Means,
  Progress,
  RandomAccess,
  Temp,
  Values,
} from '../contract/base/ports.ts';
import type { Engine } from '../contract/engine.ts';
import type { AnyOperation, Output, ToolText as RowTool } from '../contract/operation.ts';
import type { Schema } from '../derive/json-schema.ts';
import type { Probe } from '../flow/check.ts';
import type { JobFile, JobPorts } from '../flow/job-ports.ts';
import type { Sandbox } from '../runtime/files/sandbox.ts';
import type { Finding } from '../runtime/processes/machine.ts';
import type { WrittenFile } from '../runtime/rows/place-result.ts';
import type { Asking, Spending } from './spending.ts';

export interface Tool {
  /** Without the prefix. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: ToolAnnotations;
  run(given: ToolArguments, call: Call): Promise<ToolAnswer>;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The protocol's hints, by which clients decide whether to ask the person. */
export interface ToolAnnotations {
  /** It writes no file and costs nothing. */
  readonly readOnlyHint: boolean;
  /** It may replace or remove something. */
  readonly destructiveHint: boolean;
  /** A second call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** It sends something to another machine. */
  readonly openWorldHint: boolean;
}

interface Call {
  readonly signal: AbortSignal;
  readonly asking: Asking;
  readonly progress: (event: Progress) => void;
}

/** One call of a tool that stands for a row. */
export interface ToolCall extends Call {
  readonly name: string;
  readonly shape: Shape;
  /** The arguments as they came. */
  readonly given: ToolArguments;
  readonly shared: SharedState;
}

/** The context of an operation that a tool calls. */
export function contextOf({ signal, shared, progress }: Pick<ToolCall, 'signal' | 'shared' | 'progress'>, temp: Temp) {
  return { signal, clock: shared.clock, temp, progress, detail: () => {} };
}

/** What determines the arguments of a tool. */
export interface Shape {
  readonly op: AnyOperation;
  readonly tool: RowTool;
  readonly engine: Engine['name'];
  readonly overwrite: boolean;
}

export interface ToolAnswer {
  readonly record: Values;
  readonly files?: readonly PlacedFile[];
}

export interface PlacedFile extends WrittenFile {
  readonly mediaType: string;
}

/** What all tools of one server share, made by the command that starts it. */
export interface SharedState {
  readonly engine: Engine['name'];
  engineFor(op: AnyOperation): Engine;
  /** What jobs of the service need; throws where there is no address or key. */
  jobPorts(): Promise<JobPorts>;
  readonly probe: Probe;
  readonly sandbox: Sandbox;
  readonly spending: Spending;
  readonly clock: Clock;
  /** Whether calls may replace files when they ask to. */
  readonly overwrite: boolean;
  readonly stop: AbortSignal;
  /** What the local engine may use besides files. */
  readonly means: Means;
  /** Counts the pages of a PDF. Throws where it cannot be read. */
  countPages(source: ByteSource, ctx: Context): Promise<number>;
  /** The default name of an output. */
  outputName(output: Output, firstFile: string | undefined, input: ToolArguments): string;
  identify(source: RandomAccess, path: string): JobFile;
  /** The service's names for workflows, where they differ from ours. */
  readonly workflowNames: Readonly<Record<string, string | undefined>>;
  checkup(signal: AbortSignal): Promise<readonly Finding[]>;
  /** Results of calls that were cancelled after they were sent. The next answer reports them. */
  readonly notices: string[];
  /** Charged calls under way, for which the server waits when it ends. */
  readonly underWay: Set<Promise<unknown>>;
  /** A line for the person who runs the server. */
  say(line: string): void;
}
