import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, Context, Values } from '../contract/base/ports.ts';
import { field, operationNamed, say } from '../contract/base/wording.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { parsePageRange, resolvePages } from '../contract/page-range.ts';
import { checkMost, type LimitCheck, type Probe, type SpeechMeasure } from './check.ts';

/** The service's rate: 18,000 characters and 20 minutes are the same limit. */
const CHARACTERS_A_MINUTE = 900;

/** The length of speech and its voices; each fact is left out where it cannot be told here. */
export interface Estimate extends Partial<SpeechMeasure> {
  /** The selected pages, rising. */
  readonly pages?: readonly number[];
}

/** Whether an operation is priced by the minute. */
export function isSpoken({ limits }: AnyOperation): boolean {
  return limits?.minutes !== undefined;
}

/** Estimates speech before anything is sent. Throws a usage Failure where the page range is wrong. */
export async function estimate(op: AnyOperation, input: Values, ctx: Context, probe: Probe): Promise<Estimate> {
  // Rows priced by the minute take one file, of that name.
  const source = input.file as ByteSource;
  const range = typeof input.page_range === 'string' ? parsePageRange(input.page_range) : undefined;
  const count = await probe.countPages(source, ctx);
  if (count === undefined) return {};
  const chosen =
    range === undefined
      ? Array.from({ length: count }, (_, index) => index + 1)
      : resolvePages(range, count, source.name);
  const pages = [...new Set(chosen)].sort((a, b) => a - b);
  // Too many pages are refused without reading their text, which could take long.
  if (pages.length > (op.limits?.pages ?? Number.POSITIVE_INFINITY)) return { pages };
  const measured = await probe.measureSpeech?.(op, input, ctx);
  if (measured !== undefined) return { pages, ...measured };
  // Text in pictures is known only after OCR.
  if (input.ocr === true) return { pages };
  const texts = await probe.readPages?.(source, ctx);
  if (texts === undefined) return { pages };
  const characters = pages.reduce((sum, page) => sum + [...(texts[page - 1] ?? '')].length, 0);
  return { pages, characters, minutes: minutesOf(characters) };
}

/** Minutes that so many characters take, as an estimate. */
export function minutesOf(characters: number): number {
  return Math.max(1, Math.ceil(characters / CHARACTERS_A_MINUTE));
}

/** Checks an estimate against the limits of the row. */
export function checkSpoken(
  op: AnyOperation,
  source: ByteSource,
  { pages, characters, minutes }: Estimate,
): LimitCheck[] {
  const { limits = {} } = op;
  const subject = `${op.name}: ${source.name}`;
  const hint = say`Take a part of it with ${field('page_range', '1-10')}.`;
  const bounded = (what: string, limit: number | undefined, found: number | undefined, note = '') => {
    const name = `${what} of ${source.name}`;
    return limit === undefined ? [] : [checkMost({ subject, what, limit, found, note, hint, name })];
  };
  const checks = [
    ...bounded('pages', limits.pages, pages?.length),
    ...bounded('characters', limits.characters, characters),
    ...bounded('minutes', limits.minutes, minutes, ' (estimated)'),
  ];
  if (characters !== 0) return checks;
  const message = `${subject} has no text on the selected pages, so there is nothing to speak`;
  const failure = new Failure('unprocessable', message, {
    kind: 'no-text',
    hint: say`Run OCR first: ${operationNamed('ocr')}, or ${field('ocr', true)} here.`,
  });
  return [...checks, { what: `text of ${source.name}`, limit: 'some', found: 'none', failure }];
}
