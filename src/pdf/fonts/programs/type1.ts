// Parses Type 1 font programs (Adobe Type 1 Font Format, 1990) as far as CFF has a counterpart.
import { STANDARD_ENCODING } from './standard-strings.ts';

/** Values of the Private dictionary that CFF also has, by name; alignment zones and stem widths are lists. */
type PrivateValues = ReadonlyMap<string, readonly number[]>;

export interface Type1Font {
  readonly name: string;
  readonly notice: string | undefined;
  readonly matrix: readonly number[];
  readonly bbox: readonly number[];
  readonly encoding: ReadonlyMap<number, string>;
  /** The font uses `StandardEncoding def` and lists no codes. */
  readonly standardEncoding: boolean;
  readonly privates: PrivateValues;
  /** Decrypted, by number; subset fonts have gaps. */
  readonly subrs: readonly (Uint8Array | undefined)[];
  /** Decrypted, by glyph name, in program order. */
  readonly glyphs: ReadonlyMap<string, Uint8Array>;
}

/** Why a font is left unchanged: the end of a sentence, such as `it is a multiple master font`. */
export class Unconvertible extends Error {}

const PRIVATE_NUMBERS = ['BlueScale', 'BlueShift', 'BlueFuzz', 'LanguageGroup', 'ExpansionFactor', 'lenIV'];
const PRIVATE_ARRAYS = 'BlueValues OtherBlues FamilyBlues FamilyOtherBlues StdHW StdVW StemSnapH StemSnapV'.split(' ');
/** A bound for damaged fonts; real ones have fewer. */
const MOST_ENTRIES = 65_535;

/**
 * Parses a whole font program (clear, encrypted and trailing part, or with PFB headers). Throws Unconvertible for
 * damage and for what has no counterpart in CFF.
 */
export function parseType1(program: Uint8Array): Type1Font {
  const parts = splitProgram(program);
  if (parts === undefined) throw new Unconvertible('its encrypted part cannot be found');
  const clear = latin1(parts.clear);
  if (/\/(?:WeightVector|BlendDesignMap)\b/.test(clear)) throw new Unconvertible('it is a multiple master font');
  const paint = /\/PaintType\s+(\d+)/.exec(clear);
  if (paint !== null && paint[1] !== '0') throw new Unconvertible('it is drawn in outline');
  const encoding = readEncoding(clear);
  const secret = latin1(parts.secret);
  const privates = readPrivates(secret);
  const lenIV = privates.get('lenIV')?.[0] ?? 4;
  return {
    name: /\/FontName\s*\/([^\s/[\](){}<>%]+)/.exec(clear)?.[1] ?? 'Font',
    // Without escapes and with balanced parentheses; others are dropped.
    notice: /\/Notice\s*\(((?:[^()\\]|\([^()\\]*\))*)\)/.exec(clear)?.[1],
    matrix: numbersAfter(clear, '/FontMatrix', 6) ?? [0.001, 0, 0, 0.001, 0, 0],
    bbox: numbersAfter(clear, '/FontBBox', 4) ?? [0, 0, 0, 0],
    encoding: encoding ?? STANDARD_ENCODING,
    standardEncoding: encoding === undefined,
    privates,
    subrs: readSubrs(parts.secret, secret, lenIV),
    glyphs: readGlyphs(parts.secret, secret, lenIV),
  };
}

/** Codes that the program lists itself; undefined where it uses StandardEncoding. */
function readEncoding(clear: string): Map<number, string> | undefined {
  const at = clear.search(/\/Encoding\s/);
  if (at < 0) throw new Unconvertible('it has no encoding');
  const rest = clear.slice(at + 9);
  if (/^\s*StandardEncoding\b/.test(rest)) return undefined;
  const end = rest.search(/\b(?:readonly\s+)?def\b/);
  const list = end < 0 ? rest : rest.slice(0, end);
  const codes = new Map<number, string>();
  if (/^\s*\[/.test(rest)) {
    const names = [...list.matchAll(/\/([^\s/[\](){}<>%]*)/g)];
    for (const [code, match] of names.entries()) set(codes, code, match[1]);
    return codes;
  }
  if (!/^\s*\d+\s+array\b/.test(rest)) throw new Unconvertible('its encoding is written in an unusual way');
  for (const [, radix, digits, name] of list.matchAll(/\bdup\s+(?:(\d+)#)?(\w+)\s*\/([^\s/[\](){}<>%]*)\s*put\b/g))
    set(codes, Number.parseInt(digits ?? '', radix === undefined ? 10 : Number(radix)), name);
  return codes;
}

function set(codes: Map<number, string>, code: number, name: string | undefined): void {
  if (name === undefined || name === '' || name === '.notdef') return;
  if (!(code >= 0 && code <= 255)) throw new Unconvertible(`its encoding names code ${code}`);
  codes.set(code, name);
}

function readPrivates(secret: string): Map<string, readonly number[]> {
  // Charstrings are binary and may contain anything, so only the text before them counts.
  const head = secret.slice(0, Math.min(...['/Subrs', '/CharStrings'].map((key) => indexOr(secret, key))));
  const values = new Map<string, readonly number[]>();
  for (const key of PRIVATE_NUMBERS) {
    const match = new RegExp(`/${key}\\s+([-+.\\dEe]+)`).exec(head);
    if (match !== null && Number.isFinite(Number(match[1]))) values.set(key, [Number(match[1])]);
  }
  for (const key of PRIVATE_ARRAYS) {
    const list = numbersAfter(head, `/${key}`);
    if (list !== undefined && list.length > 0) values.set(key, list);
  }
  if (/\/ForceBold\s+true\b/.test(head)) values.set('ForceBold', [1]);
  return values;
}

function readSubrs(bytes: Uint8Array, text: string, lenIV: number): (Uint8Array | undefined)[] {
  const at = text.indexOf('/Subrs');
  const subrs: (Uint8Array | undefined)[] = [];
  if (at < 0) return subrs;
  // Hybrid fonts hold subroutines for each resolution; choosing them would need a PostScript interpreter.
  if (text.indexOf('/Subrs', at + 6) >= 0 && /\bhires\b/.test(text.slice(0, at)))
    throw new Unconvertible('it is a hybrid font');
  const entry = /\s*dup\s+(\d+)\s+(\d+)\s+[^\s/]+ /y;
  entry.lastIndex = skip(text, /\/Subrs\s+\d+\s+array/y, at);
  for (let match = entry.exec(text); match !== null; match = entry.exec(text)) {
    const number = Number(match[1]);
    if (number > MOST_ENTRIES) throw new Unconvertible(`it numbers a subroutine ${number}`);
    const end = entry.lastIndex + Number(match[2]);
    if (end > bytes.length) throw new Unconvertible('it ends within a subroutine');
    subrs[number] = decryptCharstring(bytes.subarray(entry.lastIndex, end), lenIV);
    // NP, |, `noaccess put` or nothing at all, up to the next entry.
    entry.lastIndex = skip(text, /\s*(?:noaccess\s+put|(?!dup\b)[^\s/]+)?/y, end);
  }
  return subrs;
}

function readGlyphs(bytes: Uint8Array, text: string, lenIV: number): Map<string, Uint8Array> {
  const glyphs = new Map<string, Uint8Array>();
  // The last one counts: in some fonts the word also stands in an earlier procedure.
  const at = text.lastIndexOf('/CharStrings');
  const entry = /[^/]*?\/(\S+)\s+(\d+)\s+[^\s/]+ /y;
  entry.lastIndex = skip(text, /\/CharStrings\s+\d+\s+dict\s+dup\s+begin/y, at);
  for (let match = entry.exec(text); match !== null; match = entry.exec(text)) {
    if (/\bend\b/.test(match[0].slice(0, match[0].indexOf('/')))) break;
    const [, name = '', length = '0'] = match;
    const end = entry.lastIndex + Number(length);
    if (end > bytes.length) throw new Unconvertible(`it ends within glyph ${name}`);
    if (glyphs.size >= MOST_ENTRIES) throw new Unconvertible('it has too many glyphs');
    glyphs.set(name, decryptCharstring(bytes.subarray(entry.lastIndex, end), lenIV));
    entry.lastIndex = end;
  }
  if (glyphs.size === 0) throw new Unconvertible('it has no glyphs');
  return glyphs;
}

/** The end of the match of `pattern` at `at`. @throws where it does not match. */
function skip(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  if (!pattern.test(text)) throw new Unconvertible(`its program is written in an unusual way at byte ${at}`);
  return pattern.lastIndex;
}

function numbersAfter(text: string, key: string, count?: number): number[] | undefined {
  const match = new RegExp(`${key}\\s*[[{]([^\\]}]*)[\\]}]`).exec(text);
  if (match === null) return undefined;
  const list = (match[1] ?? '').trim().split(/\s+/).filter(Boolean).map(Number);
  return list.every(Number.isFinite) && (count === undefined || list.length === count) ? list : undefined;
}

function indexOr(text: string, key: string): number {
  const at = text.indexOf(key);
  return at < 0 ? text.length : at;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

// Decrypts Type 1 font programs (Adobe Type 1 Font Format, chapter 7) and finds their encrypted part.

const EEXEC_KEY = 55665;
const CHARSTRING_KEY = 4330;
const EEXEC_LEAD = 4;

/** Decrypts, and drops the `lead` random bytes in front. */
function decrypt(bytes: Uint8Array, key: number, lead: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let r = key;
  for (let i = 0; i < bytes.length; i++) {
    const cipher = bytes[i] ?? 0;
    out[i] = cipher ^ (r >> 8);
    r = ((cipher + r) * 52845 + 22719) & 0xffff;
  }
  return out.subarray(lead);
}

/** `lenIV`: the font's number of leading random bytes; -1 means not encrypted. */
function decryptCharstring(bytes: Uint8Array, lenIV: number): Uint8Array {
  return lenIV < 0 ? bytes : decrypt(bytes, CHARSTRING_KEY, lenIV);
}

/** Both parts of a font program as plain PostScript; undefined where no encrypted part is found. */
function splitProgram(program: Uint8Array): { clear: Uint8Array; secret: Uint8Array } | undefined {
  const bytes = joinSegments(program);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // The word may also stand in a comment or a string before the operator, so every place is tried.
  for (let at = text.indexOf('eexec'); at >= 0; at = text.indexOf('eexec', at + 1)) {
    let start = at + 5;
    while (isSpace(bytes[start])) start += 1;
    const secret = decrypt(binary(bytes.subarray(start)), EEXEC_KEY, EEXEC_LEAD);
    if (Buffer.from(secret.buffer, secret.byteOffset, secret.length).includes('/CharStrings'))
      return { clear: bytes.subarray(0, at), secret };
  }
  return undefined;
}

/** Font streams should have no PFB segment headers, but some writers leave them in. */
function joinSegments(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x80) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const segments: Uint8Array[] = [];
  for (let at = 0; at + 6 <= bytes.length && bytes[at] === 0x80 && bytes[at + 1] !== 3; ) {
    const size = view.getUint32(at + 2, true);
    segments.push(bytes.subarray(at + 6, at + 6 + size));
    at += 6 + size;
  }
  return Buffer.concat(segments);
}

/** The encrypted part is hexadecimal when its first four bytes are (section 7.2 forbids such bytes in the binary form). */
function binary(body: Uint8Array): Uint8Array {
  if (!/^[\da-f]{4}/i.test(latin1(body.subarray(0, 4)))) return body;
  // It ends before the first byte that is neither a digit nor white space.
  return Buffer.from(latin1(body).replace(/[ \t\r\n]+/g, ''), 'hex');
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}
