import * as v from 'valibot';
import type { ByteSource } from './base/ports.ts';
import { isWellFormed } from './base/text.ts';
import { rangeIssue } from './page-range.ts';

interface FieldBase<T, Required extends boolean> {
  readonly summary: string;
  readonly required: Required;
  /** Made when a value is checked: the schemas of all rows would take a merge of two small files 2 of its 60 ms. */
  readonly schema: () => v.GenericSchema<unknown, T>;
  /** The value of a field that is left out. The local engine fills it in; requests to a service leave it out. */
  readonly default?: T;
  /** Not part of the service's specification: only engines on this machine know it, and it is never sent. */
  readonly extension?: true;
  /** A second spelling on the command line, with units or words people use (`--target 200KB` for target_bytes). */
  readonly spelling?: string;
}

export interface FileField<Required extends boolean = true> extends FieldBase<ByteSource, Required> {
  readonly kind: 'file';
  readonly types: readonly string[];
}
export interface FilesField extends FieldBase<readonly ByteSource[], true> {
  readonly kind: 'files';
  readonly types: readonly string[];
  readonly min: number;
  readonly max?: number;
}
interface ChoiceField<T extends string | number = string | number, Required extends boolean = boolean>
  extends FieldBase<T, Required> {
  readonly kind: 'choice';
  readonly values: readonly T[];
}
interface IntegerField<Required extends boolean = boolean> extends FieldBase<number, Required> {
  readonly kind: 'integer';
  readonly min?: number;
  readonly max?: number;
  /** What a flag without a number means. */
  readonly alone?: number;
}
/** An integer of bytes, which the command line also takes as 200KB or 1MB (KB = 1024 bytes). */
interface SizeField extends FieldBase<number, false> {
  readonly kind: 'size';
  readonly min: number;
}
interface NumberField extends FieldBase<number, false> {
  readonly kind: 'number';
  readonly min?: number;
  readonly max?: number;
}
export interface TextField<Required extends boolean = boolean> extends FieldBase<string, Required> {
  readonly kind: 'text';
  readonly maxLength?: number;
  /** Values observed in use where the specification lists none; offered, not enforced. */
  readonly seen?: readonly string[];
  /** Its text names a file that is written beside the output (`also` of a result). */
  readonly output?: true;
  /**
   * pages: a page range, sent as plain rising numbers: `1-3,7`. range: a page range, sent as it is; the engine counts
   * the pages, whose order matters. ranges: one range for each file, separated by semicolons; an empty one is all
   * pages. On the command line each stands behind its file.
   */
  readonly grammar?: 'pages' | 'range' | 'ranges';
  /** On the line it is the last word, behind the files. */
  readonly last?: true;
  /** On the line, @NAME stands for the text of that file. */
  readonly fromFile?: true;
}
interface FlagField extends FieldBase<boolean, false> {
  readonly kind: 'flag';
}
/** 1-based page numbers; `3,7` on the wire, any page range on the line. */
export interface PagesField extends FieldBase<readonly number[], boolean> {
  readonly kind: 'pages';
}
/** Pairs of first and last page, both 1-based and included; a JSON array of [start,end] on the wire, any page range on the line. */
interface RangesField extends FieldBase<readonly PageSpan[], false> {
  readonly kind: 'ranges';
}
/**
 * A password or another secret. It is never given on the command line, which lists of processes show, but in a file
 * (`--user-password-file FILE` for a field user_password), in the environment, or unseen at a terminal. It is in no
 * journal, plan, log or record.
 */
export interface SecretField<Required extends boolean = boolean> extends FieldBase<string, Required> {
  readonly kind: 'secret';
  /** The environment variable to read where no file is named. */
  readonly environment: `PDFTOOL_${string}`;
  /** A new secret: a person types it twice, because it is not shown. */
  readonly fresh?: true;
  /** It opens the file that comes with it. On the command line one `--password-file` serves all documents. */
  readonly ofFile?: true;
}
interface ObjectField extends FieldBase<Record<string, unknown>, false> {
  readonly kind: 'object';
}

export type PageSpan = readonly [start: number, end: number];

export type Field =
  | FileField<boolean>
  | FilesField
  | ChoiceField
  | IntegerField
  | SizeField
  | NumberField
  | TextField
  | FlagField
  | PagesField
  | RangesField
  | SecretField
  | ObjectField;

export type Fields = Readonly<Record<string, Field>>;

type Base = Partial<Pick<FieldBase<never, boolean>, 'extension' | 'spelling'>>;

type DefaultIn<Spec> = Spec extends { readonly default: infer T } ? { readonly default: T } : unknown;

const source = () =>
  v.custom<ByteSource>((value) => typeof value === 'object' && value !== null && 'open' in value, 'expected a file');
/** No message repeats what was given. */
const secretText = () =>
  v.pipe(
    v.string('expected text'),
    v.nonEmpty('expected some text'),
    v.maxLength(1024, 'expected at most 1024 characters'),
  );
const page = () => v.pipe(v.number(), v.integer('expected a whole page number'), v.minValue(1, 'pages count from 1'));

type ChoiceSpec<T> = Base & { values: readonly T[]; default?: NoInfer<T> };
type NumberSpec = Base & { min?: number; max?: number; default?: number };
type IntegerSpec = NumberSpec & { alone?: number };
type TextSpec = Base &
  Pick<TextField, 'grammar' | 'last' | 'fromFile' | 'output'> & {
    maxLength?: number;
    seen?: readonly string[];
    default?: string;
  };

/** A field that must be given; where it is a secret, a person at a terminal is asked for it. */
export function required<F extends Field>(field: F): Omit<F, 'required'> & { readonly required: true } {
  return { ...field, required: true };
}

/** One file. `types`: the accepted media types; the first is the default. */
export function file(summary: string, spec: { types: readonly string[] }): FileField {
  return { kind: 'file', summary, required: true, schema: source, ...spec };
}

/** Another file beside the main one, named by an option on the command line. */
export function optionalFile(summary: string, spec: { types: readonly string[] }): FileField<false> {
  return { kind: 'file', summary, required: false, schema: source, ...spec };
}

export function files(summary: string, spec: { types: readonly string[]; min: number; max?: number }): FilesField {
  const { min, max = Number.POSITIVE_INFINITY } = spec;
  const schema = () =>
    v.pipe(
      v.array(source()),
      v.minLength(min, (issue) => `expected at least ${min} files, found ${issue.input.length}`),
      v.check(
        (list) => list.length <= max,
        (issue) => `expected at most ${max} files, found ${issue.input.length}`,
      ),
    );
  return { kind: 'files', summary, required: true, schema, ...spec };
}

export function choice<const T extends string | number, const Spec extends ChoiceSpec<T>>(
  summary: string,
  spec: Spec & { values: readonly T[] },
): ChoiceField<T, false> & DefaultIn<Spec>;
export function choice(summary: string, spec: ChoiceSpec<string | number>): ChoiceField<string | number, false> {
  return { kind: 'choice', summary, required: false, schema: () => oneOf(spec.values), ...spec };
}

export function integer<const Spec extends IntegerSpec = object>(
  summary: string,
  spec?: Spec,
): IntegerField<false> & DefaultIn<Spec>;
export function integer(summary: string, spec: IntegerSpec = {}): IntegerField<false> {
  return { kind: 'integer', summary, required: false, schema: () => whole(spec.min, spec.max), ...spec };
}

export function size(summary: string, spec: Base & { min: number }): SizeField {
  return { kind: 'size', summary, required: false, schema: () => whole(spec.min), ...spec };
}

export function number<const Spec extends NumberSpec = object>(
  summary: string,
  spec?: Spec,
): NumberField & DefaultIn<Spec>;
export function number(summary: string, spec: NumberSpec = {}): NumberField {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = spec;
  const schema = () =>
    v.pipe(
      v.number(),
      v.finite(),
      v.minValue(min, (issue) => `expected at least ${min}, found ${issue.received}`),
      v.maxValue(max, (issue) => `expected at most ${max}, found ${issue.received}`),
    );
  return { kind: 'number', summary, required: false, schema, ...spec };
}

export function text<const Spec extends TextSpec = object>(
  summary: string,
  spec?: Spec,
): TextField<false> & DefaultIn<Spec>;
export function text(summary: string, spec: TextSpec = {}): TextField<false> {
  return { kind: 'text', summary, required: false, schema: () => string(spec.maxLength), ...spec };
}

export function range(
  summary: string,
  spec: Base & { grammar?: 'range' | 'ranges'; last?: true } = {},
): TextField<false> {
  const { grammar = 'range' } = spec;
  return { kind: 'text', summary, required: false, schema: () => rangeText(grammar), grammar, ...spec };
}

/** False unless given. `default: true`: on unless the command line says `--no-NAME`. */
export function flag(summary: string, spec: Base & { default?: true } = {}): FlagField {
  return { kind: 'flag', summary, required: false, schema: () => v.boolean(), ...spec };
}

/** `most`: page numbers that may be given. */
export function pages(
  summary: string,
  { most = Number.POSITIVE_INFINITY, ...spec }: Base & { most?: number } = {},
): PagesField {
  const schema = () =>
    v.pipe(
      v.array(page()),
      v.minLength(1, 'expected at least one page number'),
      v.check((list) => list.length <= most, `expected at most ${most} page numbers`),
    );
  return { kind: 'pages', summary, required: false, schema, ...spec };
}

export function ranges(summary: string): RangesField {
  const pair = () =>
    v.pipe(
      v.tuple([page(), page()]),
      v.check(
        ([start, end]) => start <= end,
        (issue) => `range ${issue.input.join('-')} ends before it starts`,
      ),
      v.readonly(),
    );
  return {
    kind: 'ranges',
    summary,
    required: false,
    schema: () => v.pipe(v.array(pair()), v.minLength(1, 'expected a range')),
  };
}

export function secret(
  summary: string,
  spec: Pick<SecretField, 'environment' | 'fresh' | 'ofFile'>,
): SecretField<false> {
  return { kind: 'secret', summary, required: false, schema: secretText, ...spec };
}

export function object<const Spec extends { default?: Record<string, unknown> } = object>(
  summary: string,
  spec?: Spec,
): ObjectField & DefaultIn<Spec>;
export function object(summary: string, spec: { default?: Record<string, unknown> } = {}): ObjectField {
  const schema = () =>
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.check((value) => isWellFormed(value), ILL_FORMED),
    );
  return { kind: 'object', summary, required: false, schema, ...spec };
}

/** Characters of a page range; 30,000 pages in any order take 180,000. */
const MOST_RANGE = 1_000_000;

function rangeText(grammar: 'range' | 'ranges'): v.GenericSchema<unknown, string> {
  return v.pipe(
    v.string('expected pages such as 1-3,7'),
    v.maxLength(MOST_RANGE, `expected at most ${MOST_RANGE} characters`),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const text of grammar === 'ranges' ? dataset.value.split(';') : [dataset.value]) {
        const issue = grammar === 'ranges' && text.trim() === '' ? undefined : rangeIssue(text);
        if (issue !== undefined) return addIssue({ message: issue });
      }
    }),
  );
}

function oneOf<const T extends string | number>(values: readonly T[]): v.GenericSchema<unknown, T> {
  return v.picklist(values, (issue) => `expected one of ${values.join(', ')}, found ${issue.received}`);
}

function whole(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): v.GenericSchema<unknown, number> {
  return v.pipe(
    v.number(),
    v.integer((issue) => `expected a whole number, found ${issue.received}`),
    v.minValue(min, (issue) => `expected at least ${min}, found ${issue.received}`),
    v.maxValue(max, (issue) => `expected at most ${max}, found ${issue.received}`),
  );
}

const ILL_FORMED = 'expected text without NUL (U+0000) and lone surrogates';

function string(maxLength = Number.POSITIVE_INFINITY): v.GenericSchema<unknown, string> {
  return v.pipe(
    v.string(),
    v.nonEmpty('expected some text'),
    v.check((value) => isWellFormed(value), ILL_FORMED),
    v.check(
      (value) => value.length <= maxLength,
      (issue) => `expected at most ${maxLength} characters, found ${issue.input.length}`,
    ),
  );
}
