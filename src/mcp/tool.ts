import type { Engine } from '../contract/engine.ts';
import type { AnyOperation, Output, ToolText as RowTool } from '../contract/operation.ts';
import type { ByteSource, Clock, Context, Means, Progress, RandomAccess } from '../contract/ports.ts';
import type { Schema } from '../derive/json-schema.ts';
import type { Probe } from '../flow/check.ts';
import type { JobFile, JobPorts } from '../flow/job-ports.ts';
import type { Sandbox } from '../runtime/files/sandbox.ts';
import type { Finding } from '../runtime/processes/machine.ts';
import type { WrittenFile } from '../runtime/rows/place-result.ts';
import type { Asking, Spending } from './spending.ts';

/** A tool as clients see it, and what it does. */
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

/** The hints of the protocol; clients ask the person by them. */
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
  /** Aborted when the client cancels the call, and when the server ends. */
  readonly signal: AbortSignal;
  readonly asking: Asking;
  progress(event: Progress): void;
}

/** One call of a tool that stands for a row. */
export interface ToolCall extends Call {
  readonly name: string;
  readonly shape: Shape;
  /** The arguments as they came. */
  readonly given: ToolArguments;
  readonly shared: SharedState;
}

/** What decides which arguments a tool has. */
export interface Shape {
  readonly op: AnyOperation;
  readonly tool: RowTool;
  readonly engine: Engine['name'];
  readonly overwrite: boolean;
}

export interface ToolAnswer {
  readonly record: Readonly<Record<string, unknown>>;
  readonly files?: readonly PlacedFile[];
}

export interface PlacedFile extends WrittenFile {
  readonly mediaType: string;
}

/** What all tools of one server share. The command that starts the server makes it. */
export interface SharedState {
  readonly engine: Engine['name'];
  engineFor(op: AnyOperation): Engine;
  /** What jobs of the service need; throws where there is no address or key. */
  jobPorts(): Promise<JobPorts>;
  readonly probe: Probe;
  readonly sandbox: Sandbox;
  readonly spending: Spending;
  readonly clock: Clock;
  /** Whether calls may replace files when they ask for it. */
  readonly overwrite: boolean;
  /** Aborted when the server ends. */
  readonly stop: AbortSignal;
  /** What the local engine may use besides files. */
  readonly means: Means;
  /** Pages of a PDF. Throws where it cannot be read. */
  countPages(source: ByteSource, ctx: Context): Promise<number>;
  /** The name of an output that nobody has named. */
  outputName(output: Output, firstFile: string | undefined, input: ToolArguments): string;
  identify(source: RandomAccess, path: string): JobFile;
  /** What this service calls each workflow, where it is not our word. */
  readonly workflowNames: Readonly<Record<string, string | undefined>>;
  checkup(signal: AbortSignal): Promise<readonly Finding[]>;
  /** Calls that nobody waited for any more, and what became of them. The next answer tells. */
  readonly notices: string[];
  /** Charged calls under way: the server waits for them when it ends. */
  readonly underWay: Set<Promise<unknown>>;
  /** A line for the person who runs the server. */
  say(line: string): void;
}
