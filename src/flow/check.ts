import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, Context, Values } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import type { Wording } from '../contract/base/wording.ts';
import { HEAD, headText, looksLike } from '../contract/media.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** A limit and the value found. `failure` is set where the limit is exceeded. */
export interface LimitCheck {
  readonly what: string;
  readonly limit: string;
  readonly found: string;
  readonly failure?: Failure;
}

/** Facts about a file that only a PDF reader can tell. */
export interface Probe {
  /** Pages of a PDF; undefined where they cannot be counted (encrypted, damaged): then the service counts them. */
  countPages(source: ByteSource, ctx: Context): Promise<number | undefined>;
  /** Whether a PDF is signed; undefined where it cannot be read. */
  isSigned?(source: ByteSource, ctx: Context): Promise<boolean | undefined>;
  /** The text of each page; undefined where it cannot be read. Left out where text is not read. */
  readPages?(source: ByteSource, ctx: Context): Promise<readonly string[] | undefined>;
  /** The duration of a file's speech; undefined where it cannot be read. Left out, it is estimated from the text. */
  measureSpeech?(op: AnyOperation, input: Values, ctx: Context): Promise<SpeechMeasure | undefined>;
}

/** The length of speech, as the local engine would make it. */
export interface SpeechMeasure {
  readonly characters: number;
  /** Whole minutes, at least one. */
  readonly minutes: number;
  readonly chapters: number;
  /** The voice, where voices are known. */
  readonly voice?: string;
  readonly language?: string;
  /** The voices of paragraphs in other languages. */
  readonly other_voices?: readonly string[];
}

/** The first bytes as text; undefined where the source can be read only once. */
export function headOf(source: ByteSource): string | undefined {
  if (source.read === undefined) return undefined;
  const head = new Uint8Array(HEAD);
  return headText(head.subarray(0, source.read(head, 0)));
}

/** What the first bytes look like, for a check. */
export function foundIn(head: string): string {
  return looksLike(head) ?? 'data of an unknown kind';
}

export function check(what: string, limit: string, found: string, failure?: Failure): LimitCheck {
  return { what, limit, found, ...present({ failure }) };
}

export interface Count {
  /** The beginning of the message: the operation, and the file. */
  readonly subject: string;
  /** The things counted, in the plural. */
  readonly what: string;
  readonly limit: number;
  /** Undefined where it cannot be told here. */
  readonly found: number | undefined;
  /** Behind the number. */
  readonly note?: string;
  readonly hint?: Wording;
  /** The name of the check, where it is not `what`. */
  readonly name?: string;
}

export function checkMost({ subject, what, limit, found, note = '', hint, name = what }: Count): LimitCheck {
  if (found === undefined) return check(name, `at most ${limit}`, 'not known here; the service counts them');
  const message = `${subject}: expected at most ${limit} ${what}, found ${found}${note}`;
  const failure = found <= limit ? undefined : new Failure('too_large', message, { kind: 'limit', hint });
  return check(name, `at most ${limit}`, `${found}${note}`, failure);
}

/** A check as plans show it. */
export function checkRecord({ failure, ...check }: LimitCheck) {
  return { ...check, ok: failure === undefined, ...(failure && { message: failure.message }) };
}

/** Throws the failure of the first check that has one. */
export function assertPassed(checks: readonly LimitCheck[]): void {
  for (const { failure } of checks) if (failure !== undefined) throw failure;
}
