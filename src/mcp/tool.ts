import type { Engine } from '../contract/engine.ts';
import type { Field } from '../contract/field.ts';
import type { AnyOperation, Output } from '../contract/operation.ts';
import type { PageRange } from '../contract/page-range.ts';
import type { ByteSource, Clock, Context, Progress, RandomAccess } from '../contract/ports.ts';
import type { Schema } from '../derive/json-schema.ts';
import type { Probe } from '../flow/check.ts';
import type { JobFile, JobPorts } from '../flow/job-ports.ts';
import type { Sandbox } from '../runtime/processes/sandbox.ts';
import type { Asking, Spending } from './spending.ts';

/** A tool as clients see it, and what it does. */
export interface Tool {
  /** Without the prefix. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Annotations;
  run(given: Given, call: Call): Promise<Answer>;
}

export type Given = Readonly<Record<string, unknown>>;

/** The hints of the protocol; clients ask the person by them. */
export interface Annotations {
  /** It writes no file and costs nothing. */
  readonly readOnlyHint: boolean;
  /** It may replace or remove something. */
  readonly destructiveHint: boolean;
  /** A second call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** It sends something to another machine. */
  readonly openWorldHint: boolean;
}

/** One call of a tool. */
export interface Call {
  /** Aborted when the client cancels the call, and when the server ends. */
  readonly signal: AbortSignal;
  readonly asking: Asking;
  progress(event: Progress): void;
}

export interface Answer {
  readonly record: Readonly<Record<string, unknown>>;
  /** What was written. */
  readonly files?: readonly Placed[];
}

/** A file that was written. */
export interface Placed {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly pages?: number;
  readonly mediaType: string;
}

/** A finding about the set-up. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'missing' | 'wrong';
  readonly found: string;
}

/** What all tools of one server work with; put together by whoever starts it. */
export interface Workbench {
  readonly engine: Engine['name'];
  engineFor(op: AnyOperation): Engine;
  /** What jobs of the service need; throws where there is no address or key. */
  desk(): Promise<JobPorts>;
  readonly probe: Probe;
  readonly sandbox: Sandbox;
  readonly spending: Spending;
  readonly clock: Clock;
  /** Whether calls may replace files when they ask for it. */
  readonly overwrite: boolean;
  /** Aborted when the server ends. */
  readonly stop: AbortSignal;
  /** What the local engine may ask of this machine beside files, such as processes that draw. */
  readonly helpers: Pick<
    Context,
    'countElsewhere' | 'rewriteElsewhere' | 'drawPages' | 'startCodecs' | 'startReader' | 'random'
  >;
  /** Counts the pages that ranges mean in one file. */
  resolvePages(
    op: AnyOperation,
    asked: Readonly<Record<string, AskedPages>>,
    source: ByteSource | undefined,
    engine: Engine['name'],
    ctx: Context,
  ): Promise<Record<string, unknown>>;
  /** The name of an output that nobody has named. */
  outputName(output: Output, firstFile: string | undefined, input: Given): string;
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

/** A page range of a call, and the argument it came in. */
export interface AskedPages {
  readonly flag: string;
  readonly range: PageRange;
}

export function isFileField(field: Field | undefined): boolean {
  return field?.kind === 'file' || field?.kind === 'files';
}
