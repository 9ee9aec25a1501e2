import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, Context, Values } from '../contract/base/ports.ts';
import { field, say, setting } from '../contract/base/wording.ts';
import type { Engine } from '../contract/engine.ts';
import type { FileField, FilesField } from '../contract/field.ts';
import { JPEG, PDF, PNG, sniffedType } from '../contract/media.ts';
import type { AnyOperation, InputOf, Limits, Operation, ResultOf } from '../contract/operation.ts';
import { assertPassed, check, checkMost, foundIn, headOf, type LimitCheck, type Probe } from './check.ts';
import { checkSpoken, estimate, isSpoken } from './estimate.ts';

type Bound = NonNullable<Limits['when']>[number];

/** All checks of the row for this input, cheap ones first. Reads the first bytes of files, and counts pages if bounded. */
export async function checkInput(op: AnyOperation, input: Values, ctx: Context, probe: Probe): Promise<LimitCheck[]> {
  const files = filesOfInput(op, input);
  const bounds = (op.limits?.when ?? []).filter(({ field, value }) => input[field] === value);
  const checks = [
    ...bounds.flatMap((bound) => checkRequired(op, input, bound)),
    ...checkCounts(op, input),
    ...checkText(op, input),
    ...files.flatMap(({ source, types }) => checkFile(op, source, types)),
    ...checkBytes(op, files, bounds),
    ...checkSegments(op, input),
  ];
  const [first] = files;
  if (checks.some(({ failure }) => failure !== undefined)) return checks;
  if (isSpoken(op) && first !== undefined) {
    return [...checks, ...checkSpoken(op, first.source, await estimate(op, input, ctx, probe))];
  }
  return [...checks, ...(await checkPages(op, input, files, bounds, ctx, probe))];
}

interface GivenFile {
  readonly source: ByteSource;
  readonly types: readonly string[];
}

/** The files of an input, in the order they are sent. */
export function filesOfInput(op: AnyOperation, input: Values): GivenFile[] {
  return Object.entries(op.input).flatMap(([name, field]) => {
    if (field.kind !== 'file' && field.kind !== 'files') return [];
    const { types } = field as FileField<boolean> | FilesField; // told apart by kind above
    const value = input[name];
    // The row's schema holds sources in these fields.
    const sources = (value === undefined ? [] : Array.isArray(value) ? value : [value]) as readonly ByteSource[];
    return sources.map((source) => ({ source, types }));
  });
}

function checkCounts(op: AnyOperation, input: Values): LimitCheck[] {
  return Object.entries(op.input).flatMap(([name, field]) => {
    const value = input[name];
    if (field.kind !== 'files' || !Array.isArray(value)) return [];
    const { min, max = Number.POSITIVE_INFINITY } = field;
    const limit = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
    const kept = value.length >= min && value.length <= max;
    const message = `${op.name}: expected ${limit} files, found ${value.length}`;
    return [check('files', limit, String(value.length), kept ? undefined : new Failure('usage', message))];
  });
}

function checkRequired(op: AnyOperation, input: Values, bound: Bound): LimitCheck[] {
  return Object.entries(bound.requires ?? {}).map(([name, expected]) => {
    const value = String(input[name] ?? op.input[name]?.default ?? 'nothing');
    const message = `${op.name}: ${bound.field} ${bound.value} needs ${name} ${expected}, found ${value}`;
    const failure =
      value === expected ? undefined : new Failure('usage', message, { hint: say`Add ${field(name, expected)}.` });
    return check(name, expected, value, failure);
  });
}

function checkText(op: AnyOperation, input: Values): LimitCheck[] {
  return Object.entries(op.input).flatMap(([name, field]) => {
    const value = input[name];
    if (field.kind !== 'text' || field.maxLength === undefined || typeof value !== 'string') return [];
    const [subject, what] = [op.name, `characters of ${name}`];
    return [checkMost({ subject, what, limit: field.maxLength, found: value.length })];
  });
}

const NO_LIMIT_HERE = say`The local engine has no such limit: add ${setting('local')}.`;

function checkFile(op: AnyOperation, source: ByteSource, types: readonly string[]): LimitCheck[] {
  const { name, size } = source;
  if (size === 0) {
    const failure = new Failure('refused', `${name} is empty: 0 bytes`, { kind: 'empty' });
    return [check(name, 'not empty', '0 bytes', failure)];
  }
  const head = headOf(source);
  if (head === undefined) return [];
  const found = foundIn(head);
  if (types.some((type) => type === sniffedType(head) || (type !== PDF && type !== PNG && type !== JPEG))) {
    return [check(name, wordsFor(types), found)];
  }
  const kind = types.includes(PDF) ? 'not-pdf' : 'bad-image';
  const message = `${op.name}: ${name}: expected ${wordsFor(types)}, found ${found}`;
  return [check(name, wordsFor(types), found, new Failure('refused', message, { kind }))];
}

function checkBytes(op: AnyOperation, files: readonly GivenFile[], bounds: readonly Bound[]): LimitCheck[] {
  const limit = Math.min(
    ...[op.limits ?? {}, ...bounds].map(({ inputBytes = Number.POSITIVE_INFINITY }) => inputBytes),
  );
  if (limit === Number.POSITIVE_INFINITY) return [];
  const found = files.reduce((sum, { source }) => sum + (source.size ?? 0), 0);
  return [checkMost({ subject: op.name, what: 'bytes of input', limit, found, hint: NO_LIMIT_HERE })];
}

/** Segments that the input cuts: one more than the pages it is cut after, or one for each range. */
function segmentsOf(op: AnyOperation, input: Values): number | undefined {
  for (const [name, field] of Object.entries(op.input)) {
    const value = input[name];
    if (field.kind === 'ranges' && Array.isArray(value)) return value.length;
    if (field.kind === 'pages' && Array.isArray(value)) return new Set(value).size + 1;
  }
  return undefined;
}

function checkSegments(op: AnyOperation, input: Values): LimitCheck[] {
  const limit = op.limits?.segments;
  const found = segmentsOf(op, input);
  if (limit === undefined || found === undefined) return [];
  return [checkMost({ subject: op.name, what: 'segments', limit, found, hint: NO_LIMIT_HERE })];
}

async function checkPages(
  op: AnyOperation,
  input: Values,
  files: readonly GivenFile[],
  bounds: readonly Bound[],
  ctx: Context,
  probe: Probe,
): Promise<LimitCheck[]> {
  // Where a document is cut into segments, only their number is bounded, not that of pages.
  const free = op.limits?.segments !== undefined && segmentsOf(op, input) !== undefined;
  const limits = free ? {} : (op.limits ?? {});
  const limit = Math.min(...[limits, ...bounds].map(({ pages = Number.POSITIVE_INFINITY }) => pages));
  if (limit === Number.POSITIVE_INFINITY) return [];
  const hint = say`Take a part of it, or use the local engine, which has no such limit: ${setting('local')}.`;
  const checks: LimitCheck[] = [];
  for (const { source } of files) {
    const [subject, name] = [`${op.name}: ${source.name}`, `pages of ${source.name}`];
    const found = await probe.countPages(source, ctx);
    checks.push(checkMost({ subject, what: 'pages', limit, found, hint, name }));
  }
  return checks;
}

function wordsFor(types: readonly string[]): string {
  if (types.includes(PDF)) return 'a PDF file';
  return types.includes(PNG) || types.includes(JPEG) ? 'a PNG or JPEG image' : types.join(' or ');
}

/** Throws the first check that fails. */
export async function assertAllowed(op: AnyOperation, input: Values, ctx: Context, probe: Probe): Promise<void> {
  assertPassed(await checkInput(op, input, ctx, probe));
}

/** Measures how long the speech of a file would take. Throws where a limit is exceeded, or the file cannot be read. */
export async function measureWithin(
  op: AnyOperation,
  input: Values,
  ctx: Context,
  probe: Probe,
): Promise<{ pages: number; characters: number; minutes: number; chapters: number }> {
  await assertAllowed(op, input, ctx, probe);
  const { pages, characters, minutes, chapters = 0 } = await estimate(op, input, ctx, probe);
  // Measuring again throws the reason why the file cannot be read.
  if (minutes === undefined) await probe.measureSpeech?.(op, input, ctx);
  if (pages === undefined || characters === undefined || minutes === undefined) {
    const message = `${op.name}: the file cannot be read here: it is damaged, or it needs a password`;
    throw new Failure('unprocessable', message);
  }
  return { pages: pages.length, characters, minutes, chapters };
}

/** Decorates an engine with the limits of its rows. The local engine is bounded by memory and disk alone. */
export function guard(engine: Engine, probe: Probe): Engine {
  return {
    ...engine,
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      await assertAllowed(op, input, ctx, probe);
      return engine.call(op, input, ctx);
    },
  };
}
