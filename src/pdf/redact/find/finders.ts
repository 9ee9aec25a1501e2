import { Failure } from '../../../contract/failure.ts';

/** A place in a text, in UTF-16 units. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** In this order: the first to know a number has it. */
export const DETECTORS = ['email', 'card', 'iban', 'ssn', 'phone'] as const;
export type Detector = (typeof DETECTORS)[number];

/** Runs a person's expression over a text and gives up after a while: some take longer than the universe lasts. */
export type Match = (source: string, text: string) => readonly (readonly [start: number, end: number])[];

interface Pattern {
  readonly expression: RegExp;
  accepts?(match: string): boolean;
  /** It may take too much at its end, as an account's number does of the capitals that follow it. */
  readonly greedy?: true;
}

const PATTERNS: Readonly<Record<Detector, Pattern>> = {
  email: { expression: /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu },
  phone: {
    // Groups that go on before or behind are a number of another kind.
    expression:
      /(?<![\p{L}\p{N}.,/-]|\d[ \u00a0-])(?:\+|00)?\(?\d(?:[ \u00a0./()-]{0,2}\d){6,14}(?![\p{L}\p{N}]|[ \u00a0-]\d)/gu,
    accepts: (match) => {
      const digits = match.replace(/\D/g, '').length;
      // Long numbers without any separator are everything; dates are no telephone numbers.
      const separated = /[ \u00a0./()-]/.test(match) || match.startsWith('+');
      const isDate = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})$/.test(match);
      const isSsn = /^\d{3}[ -]\d{2}[ -]\d{4}$/.test(match);
      return digits >= 9 && digits <= 15 && separated && !isDate && !isSsn;
    },
  },
  card: { expression: /(?<!\d)\d(?:[ \u00a0-]?\d){12,18}(?!\d)/g, accepts: isCard },
  iban: {
    expression: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]){11,30}(?![\p{L}\p{N}])/gu,
    accepts: isIban,
  },
  ssn: {
    expression: /(?<![\d-])(?!000|666|9\d\d)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/g,
  },
};

/** A card's number: its check digit is right (ISO/IEC 7812), and its digits are not all the same. */
export function isCard(match: string): boolean {
  const digits = match.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** An account's number: the remainder by 97 is 1 (ISO 13616). */
export function isIban(match: string): boolean {
  const text = match.replace(/[ \u00a0]/g, '');
  if (text.length < 15 || text.length > 34) return false;
  let rest = 0;
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

export interface Wanted {
  readonly terms: readonly string[];
  readonly expressions: readonly string[];
  readonly kinds: readonly Detector[];
}

const MOST_TERM = 1_000;

/** @throws Failure `usage` for an expression that is none, which is checked before any page is read. */
export function checkWanted({ terms, expressions }: Wanted): void {
  for (const term of terms)
    if (term.trim() === '' || term.length > MOST_TERM)
      throw new Failure('usage', `--find: expected 1 to ${MOST_TERM} characters`);
  for (const source of expressions) {
    try {
      new RegExp(source, 'giu');
    } catch (cause) {
      throw new Failure('usage', '--regex: this is no regular expression', { cause });
    }
  }
}

/** All places in a text, those that overlap included. */
export function findIn(text: string, { terms, expressions, kinds }: Wanted, match: Match): Found[] {
  const found: Found[] = [];
  for (const term of terms) for (const [start, end] of placesOf(term, text)) found.push({ start, end, kind: 'text' });
  const numbers: Found[] = [];
  for (const kind of DETECTORS) {
    if (!kinds.includes(kind)) continue;
    for (const hit of text.matchAll(PATTERNS[kind].expression)) {
      const [start, accepted] = [hit.index, longestAccepted(hit[0], PATTERNS[kind])];
      if (accepted === undefined) continue;
      const end = start + accepted.length;
      // What is known to be something else is no telephone number.
      if (kind === 'phone' && numbers.some((other) => other.start < end && start < other.end)) continue;
      numbers.push({ start, end, kind });
    }
  }
  found.push(...numbers);
  for (const source of expressions)
    for (const [start, end] of match(source, text)) if (end > start) found.push({ start, end, kind: 'regex' });
  return found;
}

const SHORTEST = 15;

function longestAccepted(match: string, { accepts, greedy }: Pattern): string | undefined {
  if (accepts === undefined || accepts(match)) return match;
  if (greedy !== true) return undefined;
  for (let end = match.length - 1; end >= SHORTEST; end--) if (accepts(match.slice(0, end))) return match.slice(0, end);
  return undefined;
}

/** A term wherever it stands, its spaces being any space; capitals make no difference. */
function* placesOf(term: string, text: string): Iterable<[number, number]> {
  const words = term
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  for (const hit of text.matchAll(new RegExp(words.join('\\s*'), 'giu'))) yield [hit.index, hit.index + hit[0].length];
}
