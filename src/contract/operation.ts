import type { FailureCode } from './base/failure.ts';
import type { BytesResult, JobResult, PartsResult, RecordResult, Values } from './base/ports.ts';
import type { Field, Fields } from './field.ts';
import { PDF } from './media.ts';

export type Output =
  | {
      readonly kind: 'record';
      readonly mediaType: string;
      /** The name of its schema in records.ts. */
      readonly record: string;
      /** The key whose text a person wants on standard output instead of the record. */
      readonly text?: string;
      /** The record is a document of its own, printed as JSON. */
      readonly document?: true;
    }
  | {
      readonly kind: 'bytes';
      readonly mediaType: string;
      /** Output name: either fixed, or the input's stem with a suffix. The extension follows from the media type. */
      readonly stem: OutputStem;
      readonly measured?: true;
      /** Text for a person or a pipe: it goes to standard output unless a file is named. */
      readonly printed?: true;
    }
  | {
      readonly kind: 'parts';
      /** The archive that holds them on the wire. */
      readonly mediaType: string;
      /** The media types that the files may have; each handler names its files itself, such as page-001.png. */
      readonly partTypes: readonly [string, ...string[]];
      readonly stem: OutputStem;
      /**
       * With a file name as output, a single part is written as it is, without an archive. any: also to standard
       * output. ranges: only where one range was asked for.
       */
      readonly single?: 'any' | 'ranges';
    }
  | {
      readonly kind: 'job';
      readonly mediaType: string;
      readonly record: string;
      /** The extension of the job's result where `output_format` is left out. */
      readonly extension: string;
      /** The field that names the extension of a second file beside the result. */
      readonly beside?: string;
    };

/** `fixed`: the whole stem. `suffix`: what follows the stem of the first input. */
type OutputStem = { readonly fixed: string } | { readonly suffix: string };

/** Bounds of the service: they bind remote calls and serve, never the local engine. Sizes in bytes. */
export interface Limits {
  readonly inputBytes?: number;
  readonly outputBytes?: number;
  /** Pages of the input, where every page becomes an output or is looked at. */
  readonly pages?: number;
  readonly segments?: number;
  readonly characters?: number;
  readonly minutes?: number;
  readonly activeJobs?: number;
  /** Bounds that hold only when a field has a value, such as output_format=source-pack. */
  readonly when?: readonly {
    readonly field: string;
    readonly value: string;
    readonly inputBytes?: number;
    readonly pages?: number;
    readonly derivativeBytes?: number;
    /** Another field must have this value. */
    readonly requires?: Readonly<Record<string, string>>;
  }[];
}

export type Cost =
  | { readonly credits: number }
  | { readonly creditsPerMinute: number; readonly creditsPerMinuteBy?: Readonly<Record<string, number>> }
  /** The budget is reserved when the job is made. */
  | { readonly reserves: 'maxCredits' };

export interface ToolText {
  /** When an agent should use it, and when not: one or two sentences after the row's summary. */
  readonly when?: string;
  /** Fields that a tool requires although the row does not. */
  readonly required?: readonly string[];
  readonly preset?: Values;
}

/** The groups of commands, in the words of help. A new group is one line here. */
export const GROUPS = {
  pages: 'Pages',
  edit: 'Edit',
  pictures: 'Pictures',
  size: 'Size',
  text: 'Text',
  speech: 'Speech',
  service: 'Service',
} as const;

/** Commands whose verbs are rows, with what help says of them. A new family is one line here. */
export const FAMILIES = {
  pages: 'Take, drop, reverse or order pages, or say which ones a page range means',
  meta: 'Show, set or clear title, author and other metadata',
  bookmarks: 'Show, set or clear the bookmarks',
  labels: 'Show, set or clear the page labels',
  form: 'Show, fill or flatten form fields',
  attach: 'List, add, take out or remove attached files',
  invoice: 'Make and show PDFs that hold an invoice for programs (Factur-X, ZUGFeRD)',
} as const satisfies Readonly<Record<string, string>>;

/** The family in a row's name: `pages` of `pages-take`, whose command is `pdftool pages take`. */
export function familyOf({ name }: Pick<AnyOperation, 'name'>): keyof typeof FAMILIES | undefined {
  return (Object.keys(FAMILIES) as (keyof typeof FAMILIES)[]).find((family) => name.startsWith(`${family}-`));
}

/** The words of a row's command: `pages take`, `merge`. */
export function wordsOf(op: Pick<AnyOperation, 'name'>): string {
  const family = familyOf(op);
  return family === undefined ? op.name : `${family} ${op.name.slice(family.length + 1)}`;
}

/** differ: exit code 1, like diff and cmp. unmet: exit code 3, the result falls short. */
interface Verdict {
  readonly key: string;
  readonly exit: 'differ' | 'unmet';
}

/**
 * What a call does to the machine that it runs on, which says how heavy it is. none: nothing to speak of. copy: bytes are
 * moved and little is computed. read: text and structure are read, into many small objects. recode: pictures, fonts or
 * streams are coded anew. render: pages are drawn, recognised or spoken, for seconds each.
 */
type Work = 'none' | 'copy' | 'read' | 'recode' | 'render';

interface Row<Input extends Fields, Outputs extends Readonly<Record<string, Output>>> {
  /** Also the command's name, unless `surface` is 'internal'. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** command: becomes a subcommand. internal: called by flows and by other commands (jobs, workflow). */
  readonly surface: 'command' | 'internal';
  readonly group: keyof typeof GROUPS;
  readonly summary: string;
  readonly description?: string;
  readonly input: Input;
  /** At most one of these fields may be given. */
  readonly exclusive?: readonly (readonly string[])[];
  /** At least one of these fields must be given. A person at a terminal is asked for the first secret among them. */
  readonly needsOneOf?: readonly string[];
  readonly outputs: Outputs;
  /** The field whose value names the output, or a flag named like the output; without it there is one output. */
  readonly outputBy?: string;
  /** Values that the command line sends where the service's default suits programs. */
  readonly commandDefaults?: Readonly<Record<string, string>>;
  /** The key of its record that is false where the exit code is not 0. */
  readonly verdict?: Verdict;
  /** It appends to its file, so that signatures hold for what was signed. */
  readonly appends?: true;
  readonly work: Work;
  readonly tools: Readonly<Record<string, ToolText>>;
}

/** How a service offers a row: where, at what price, within which limits. */
interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly pathAliases: readonly string[];
  readonly cost: Cost;
  readonly body: 'none' | 'json' | 'multipart' | 'json-or-multipart';
  /** Request headers that are part of the operation. */
  readonly headers?: Readonly<Record<string, Field>>;
  readonly limits?: Limits;
  readonly success: 200 | 202;
  /** The failures declared for it; the HTTP status follows from the table. */
  readonly failures: readonly FailureCode[];
  /**
   * safe: may be repeated. free: a POST without cost. never: charged, sent once. keyed: repeated with its
   * Idempotency-Key.
   */
  readonly replay: 'safe' | 'free' | 'never' | 'keyed';
  /** Why the service does not offer it now. */
  readonly disabled?: string;
  /** Part of the machine-readable description of SERVICE.md. */
  readonly described: boolean;
  /** Not part of SERVICE.md: `pdftool serve` has it, and another service may not. Its path is below /api/v1. */
  readonly extension?: true;
}

type AnyOutputs = Readonly<Record<string, Output>>;

/** A row that a service offers; this machine may have it too. */
export type ServiceOperation<Input extends Fields = Fields, Outputs extends AnyOutputs = AnyOutputs> = Row<
  Input,
  Outputs
> &
  Endpoint & {
    /** Whether the local engine has it; else a sentence that says why not. */
    readonly local: true | string;
  };

/** A row that runs on this machine alone: no service has an address or a price for it. */
type LocalOnlyOperation<Input extends Fields = Fields, Outputs extends AnyOutputs = AnyOutputs> = Row<
  Input,
  Outputs
> & { readonly [K in keyof Endpoint]?: undefined } & { readonly local: true };

export type Operation<Input extends Fields = Fields, Outputs extends AnyOutputs = AnyOutputs> =
  | ServiceOperation<Input, Outputs>
  | LocalOnlyOperation<Input, Outputs>;

export type AnyOperation = Operation<Fields, AnyOutputs>;

/** Whether a service offers the row: then it has an address and a price. */
export function isOffered(op: AnyOperation): op is ServiceOperation {
  return op.path !== undefined;
}

/** Whether a row makes PDFs, in one of its outputs. */
export function makesPdf({ outputs }: AnyOperation): boolean {
  return Object.values(outputs).some(isPdf);
}

/** Whether an output is a PDF, or consists of them. */
export function isPdf(output: Output): boolean {
  return output.kind === 'parts' ? output.partTypes.includes(PDF) : output.mediaType === PDF;
}

type Optional = 'aliases' | 'path' | 'pathAliases' | 'surface' | 'tools' | 'described';

/** A row that a service offers. What is left out: a path with its name, no aliases, a subcommand, no tools, not in the machine-readable description. */
export function operation<
  const Input extends Fields,
  const Outputs extends AnyOutputs,
  const Rest extends Omit<ServiceOperation<Input, Outputs>, Optional | 'input' | 'outputs'> & Partial<ServiceOperation>,
>(row: Rest & { readonly input: Input; readonly outputs: Outputs }) {
  // The wide type: defaults are intersected with the row, and 'command' & 'internal' would make the whole row `never`.
  return {
    aliases: [],
    path: `/api/v1/${row.name}` as ServiceOperation['path'],
    pathAliases: [],
    surface: 'command' as ServiceOperation['surface'],
    tools: {},
    described: false,
    ...row,
  };
}

/** A row that runs on this machine alone. What is left out: no aliases, a subcommand, no tools. */
export function localOperation<
  const Input extends Fields,
  const Outputs extends AnyOutputs,
  const Rest extends Omit<Row<Input, Outputs>, Optional | 'input' | 'outputs'> & Partial<Row<Input, Outputs>>,
>(row: Rest & { readonly input: Input; readonly outputs: Outputs }) {
  return {
    aliases: [],
    surface: 'command' as ServiceOperation['surface'],
    tools: {},
    local: true as const,
    ...row,
  };
}

type ValueOf<F extends Field> = F extends {
  schema: () => { readonly '~types'?: { readonly output: infer T } | undefined };
}
  ? T
  : never;

/** The input an operation takes: required fields as they are, the others possibly left out; request headers of the row by their names. */
export type InputOf<O> = O extends { readonly input: infer I extends Fields }
  ? { readonly [K in keyof I as I[K]['required'] extends true ? K : never]: ValueOf<I[K]> } & {
      readonly [K in keyof I as I[K]['required'] extends true ? never : K]?: ValueOf<I[K]> | undefined;
    } & HeadersOf<O>
  : never;

/** What a handler gets: an input in which fields with a default, and all flags, have a value. */
export type CompleteInputOf<O> = O extends { readonly input: infer I extends Fields }
  ? InputOf<O> & { readonly [K in keyof I as I[K] extends Defaulted ? K : never]: ValueOf<I[K]> }
  : never;

type Defaulted = { readonly kind: 'flag' } | { readonly default: unknown };

/** An input with the defaults of its row filled in. */
export function completeInput<O extends Operation>(op: O, input: InputOf<O>): CompleteInputOf<O> {
  const complete: Record<string, unknown> = { ...input };
  for (const [name, field] of Object.entries(op.input)) {
    complete[name] ??= field.kind === 'flag' ? (field.default ?? false) : field.default;
    if (complete[name] === undefined) delete complete[name];
  }
  return complete as CompleteInputOf<O>; // the loop has done what the type says
}

type HeadersOf<O> = O extends { readonly headers: infer H extends Fields }
  ? { readonly [K in keyof H]?: ValueOf<H[K]> | undefined }
  : unknown;

/**
 * The field that positional words of a command line fill, and the first argument of a function: the files; where there
 * are none, the first required text.
 */
export function positionalOf(op: AnyOperation): readonly [string, Field] | undefined {
  const fields = Object.entries(op.input);
  return (
    fields.find(([, field]) => field.kind === 'file' || field.kind === 'files') ??
    fields.find(([, field]) => field.kind === 'text' && field.required)
  );
}

/** Whether the library has a function for a row: not for single steps of workflows, which jobs of the service take. */
export function isCallable({ surface, group }: Pick<AnyOperation, 'surface' | 'group'>): boolean {
  return surface === 'command' || group !== 'service';
}

interface ResultByKind {
  record: RecordResult;
  bytes: BytesResult;
  parts: PartsResult;
  /** The local engine does the work at once and answers with the file. */
  job: JobResult | BytesResult;
}

/** What an operation answers with, by the kinds of its outputs. */
export type ResultOf<O> = O extends { readonly outputs: Readonly<Record<string, { readonly kind: infer K }>> }
  ? ResultByKind[K & keyof ResultByKind]
  : never;

/** The output that an input asks for. */
export function outputOf(op: AnyOperation, input: Values): { name: string; output: Output } {
  const chosen = op.outputBy === undefined ? undefined : (input[op.outputBy] ?? op.input[op.outputBy]?.default);
  const name = typeof chosen === 'string' ? chosen : chosen === true ? op.outputBy : Object.keys(op.outputs)[0];
  const output = name === undefined ? undefined : op.outputs[name];
  if (name === undefined || output === undefined) throw new TypeError(`${op.name} has no output named ${chosen}`);
  return { name, output };
}

/** Whether a field names a file that is written beside the output. */
export function isBeside(field: Field | undefined): boolean {
  return field?.kind === 'text' && field.output === true;
}

/** The field that names a page written beside a record. A service that is given it answers with the page. */
export function pageField({ input, outputs }: AnyOperation): string | undefined {
  const isRecord = Object.values(outputs).every(({ kind }) => kind === 'record');
  return isRecord ? Object.keys(input).find((name) => isBeside(input[name])) : undefined;
}

/** The values of an input that may be shown and stored: neither files nor secrets. */
export function openValues(op: AnyOperation, input: Values): Record<string, unknown> {
  const isOpen = (name: string) => !['file', 'files', 'secret'].includes(op.input[name]?.kind ?? '');
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => value !== undefined && isOpen(name)));
}
