import { Failure } from '../../../contract/base/failure.ts';
import { field, say } from '../../../contract/base/wording.ts';
import { termsOf } from './seen-text.ts';

/** A place in a text, in UTF-16 units. */
export interface TextMatch {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** In order of precedence: a number belongs to the first that accepts it. */
export const DETECTORS = ['email', 'card', 'iban', 'ssn', 'phone'] as const;
export type Detector = (typeof DETECTORS)[number];

/** Runs a user's expression over a text with a time limit: some would never end. */
export type Match = (source: string, text: string) => readonly (readonly [start: number, end: number])[];

interface Pattern {
  readonly expression: RegExp;
  /** `before`: the text before the match, on its line or the one above. */
  accepts?(match: string, before: string): boolean;
  /** The match may run on into the capitals that follow an account number. */
  readonly greedy?: true;
}

const PATTERNS: Readonly<Record<Detector, Pattern>> = {
  email: { expression: /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu },
  phone: {
    // More groups before or after make it another kind of number.
    expression:
      /(?<![\p{L}\p{N}.,/$\u20ac\u00a3-]|\d[ \u00a0-])(?:\+|00)?\(?\d(?:[ \u00a0./()-]{0,3}\d){6,14}(?![\p{L}\p{N}%]|[,.]\d|[ \u00a0-]\d)/gu,
    accepts: isPhone,
  },
  card: { expression: /(?<![\d.,-])\d(?:[ \u00a0-]?\d){12,18}(?![\d%]|[.,-]\d)/g, accepts: isCard },
  iban: {
    expression: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ \u00a0-]?[A-Z0-9]){11,34}/gu,
    accepts: isIban,
    greedy: true,
  },
  ssn: {
    expression: /(?<![\d-])(?!000|666|9\d\d)\d{3}([- \u00a0]?)(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/g,
    // Nine digits in a row need a label; groups with spaces are common in tables.
    accepts: (match, before) =>
      match.includes('-') ? !/\b(?:isbn|doi|part|ref|order)\W*$/i.test(before) : SSN_WORD.test(before),
  },
};

const SSN_WORD = /(?:\bssn|social security(?: number| no\.?)?|\bss#)\W*$/i;
const PHONE_WORD =
  /(?:\btel|telephone|telefon|t\u00e9l\u00e9phone|tel\u00e9fono|\bphone|\bfax|\bmobile?|m\u00f3vil|\bcell|\bcall|\bhandy|\bph|\u260e|\u2706)(?: (?:number|no|us|me|at|on))*\W*$/i;
const OTHER_WORD =
  /(?:isbn|issn|doi|arxiv|pmid|patent|invoice|order|account|serial|version|ref|id|no|nr|\u00a7|#|\$|\u20ac|\u00a3)[\s.:#-]*$/i;

/** A telephone number: international, labelled or grouped like one, but no date, amount, table figure or ISBN. */
function isPhone(match: string, before: string): boolean {
  const digits = match.replace(/\D/g, '');
  const isNamed = PHONE_WORD.test(before);
  if (digits.length > 15 || digits.length < (isNamed ? 7 : 9)) return false;
  const isInternational = /^(?:\+|00)[1-9]/.test(match);
  const groups = match.split(/[ \u00a0]+/);
  // Amounts, or one long figure.
  if (
    groups.some((group) => /^\d+\.\d{1,2}$/.test(group)) ||
    (!/[ \u00a0./()-]/.test(match) && !isInternational && !isNamed)
  )
    return false;
  const parts = match.match(/\d+/g) ?? [];
  if (parts.length > 7 || (parts.length > 1 && parts.every((part) => /^(?:1[5-9]|20)\d\d$/.test(part)))) return false;
  if (/^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?:\D|$)/.test(match)) return false;
  if (/^\d{3}[ -]\d{2}[ -]\d{4}$/.test(match) || isBookNumber(digits)) return false;
  if (isNamed) return true;
  if (OTHER_WORD.test(before)) return false;
  if (isInternational) return true;
  // North American numbers, and national ones, which begin with 0.
  return (
    /^(?:1[ .-])?\(?[2-9]\d\d\)?[ \u00a0.-]{0,2}[2-9]\d\d[ \u00a0.-]\d{4}$/.test(match) ||
    /^\(?0[1-9]\d*\)?[ \u00a0/.-]/.test(match)
  );
}

/** An ISBN of 13 digits with a valid check digit. */
function isBookNumber(digits: string): boolean {
  if (!/^97[89]\d{10}$/.test(digits)) return false;
  return [...digits].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

/** Prefixes of card issuers with the lengths of their numbers. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14, 16, 19]],
  [/^(?:35|60|6[245]|50|5[6-9]|6[37])/, [13, 14, 15, 16, 17, 18, 19]],
];

/** A card number: a known issuer, a valid check digit (ISO/IEC 7812), not all digits the same. */
function isCard(match: string): boolean {
  const digits = match.replace(/\D/g, '');
  if (/^(\d)\1*$/.test(digits)) return false;
  if (!ISSUERS.some(([start, lengths]) => start.test(digits) && lengths.includes(digits.length))) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** IBAN lengths by country. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18
  FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20
  LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31
  SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** An IBAN: the length of its country, and a remainder of 1 modulo 97 (ISO 13616). */
function isIban(match: string): boolean {
  const text = match.replace(/[ \u00a0-]/g, '');
  if (IBAN_LENGTHS[text.slice(0, 2)] !== text.length || !/[A-Z0-9]$/.test(match)) return false;
  let rest = 0;
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

export interface SearchQuery {
  readonly terms: readonly string[];
  readonly expressions: readonly string[];
  readonly kinds: readonly Detector[];
}

const MOST_TERM = 1_000;

/** @throws Failure `usage` for an invalid expression, before any page is read. */
export function checkWanted({ terms, expressions }: SearchQuery): void {
  for (const term of terms)
    if (term.trim() === '' || term.length > MOST_TERM)
      throw new Failure('usage', say`${field('find')}: expected 1 to ${MOST_TERM} characters`);
    else if (termsOf(term).length === 0)
      throw new Failure('usage', say`${field('find')}: expected more than spaces, hyphens and accents`);
  for (const source of expressions) {
    try {
      new RegExp(source, 'giu');
    } catch (cause) {
      throw new Failure('usage', say`${field('regex')}: this is no regular expression`, { cause });
    }
  }
}

/** All matches of kinds and expressions in a text, overlapping ones included. */
export function findIn(
  text: string,
  { expressions, kinds }: Pick<SearchQuery, 'expressions' | 'kinds'>,
  match: Match,
): TextMatch[] {
  const matches: TextMatch[] = [];
  const plain = text.replace(/[\u2010-\u2015\u2212]/g, '-');
  for (const kind of DETECTORS) {
    if (!kinds.includes(kind)) continue;
    for (const hit of plain.matchAll(PATTERNS[kind].expression)) {
      const start = hit.index;
      const accepted = longestAccepted(hit[0], plain.slice(Math.max(0, start - CONTEXT), start), PATTERNS[kind]);
      if (accepted === undefined) continue;
      const end = start + accepted.length;
      // A number of another kind is no telephone number.
      if (kind === 'phone' && matches.some((other) => other.start < end && start < other.end)) continue;
      matches.push({ start, end, kind });
    }
  }
  for (const source of expressions)
    for (const [start, end] of match(source, text)) if (end > start) matches.push({ start, end, kind: 'regex' });
  return matches;
}

const SHORTEST = 15;
/** Characters before a number that are searched for its label. */
const CONTEXT = 40;

function longestAccepted(match: string, before: string, { accepts, greedy }: Pattern): string | undefined {
  if (accepts === undefined || accepts(match, before)) return match;
  if (greedy !== true) return undefined;
  for (let end = match.length - 1; end >= SHORTEST; end--)
    if (accepts(match.slice(0, end), before)) return match.slice(0, end);
  return undefined;
}
