// Finds the end of an inline image's data (ISO 32000-1, 8.9.7). Only for unfiltered data does the dictionary tell its
// length; otherwise the end is an `EI` that stands alone and has text behind it.
import { CLASS, SPACE } from '../syntax/characters.ts';
import { Unreadable } from '../syntax/damage.ts';
import { type Dict, Name } from '../syntax/values.ts';

export interface ImageEnd {
  readonly data: number;
  /** The place behind `EI`. */
  readonly behind: number;
}

/** White space that may stand between data of a known length and `EI`. */
const MOST_BLANKS = 16;
/** Bytes behind `EI` that must be text: data may hold the letters by chance, but hardly followed by text. */
const TEXT_BEHIND = 16;

/**
 * The end of an inline image's data. In strict mode it throws where the length from the dictionary and the first `EI`
 * disagree, since readers then take different bytes for data, and where there is no end; otherwise the rest is taken
 * for data.
 */
export function imageEnd(bytes: Uint8Array, from: number, dict: Dict, strict: boolean): ImageEnd {
  const length = dict.has('Filter') ? undefined : plainLength(dict);
  const told = length === undefined ? undefined : endAt(bytes, from + length);
  if (told !== undefined && !strict) return told;
  const first = endFrom(bytes, from, from);
  if (!strict) return first ?? { data: bytes.length, behind: bytes.length };
  const last = length === undefined ? first : (told ?? endFrom(bytes, from, from + length));
  if (last === undefined) throw new Unreadable('an inline image without an end');
  if (first !== undefined && first.behind !== last.behind)
    throw new Unreadable('an inline image whose end is not where its size says');
  return last;
}

/** The end of data whose length is known, at `at`. */
function endAt(bytes: Uint8Array, at: number): ImageEnd | undefined {
  let pos = at;
  while (pos < at + MOST_BLANKS && isBlank(bytes, pos)) pos++;
  return isEnd(bytes, pos) ? { data: at, behind: pos + 2 } : undefined;
}

/** The first end at or after `at` of data that begins at `from`. */
function endFrom(bytes: Uint8Array, from: number, at: number): ImageEnd | undefined {
  for (let pos = at; pos + 1 < bytes.length; pos++) {
    if (bytes[pos] !== 0x45 || !isEnd(bytes, pos) || !isText(bytes, pos + 2)) continue;
    if (pos === from) return { data: pos, behind: pos + 2 };
    if (isBlank(bytes, pos - 1)) return { data: pos - 1, behind: pos + 2 };
  }
  return undefined;
}

/** Whether a word `EI` stands at `pos`. */
function isEnd(bytes: Uint8Array, pos: number): boolean {
  return bytes[pos] === 0x45 && bytes[pos + 1] === 0x49 && (CLASS[bytes[pos + 2] ?? 0] ?? 0) >= SPACE;
}

function isBlank(bytes: Uint8Array, pos: number): boolean {
  return pos < bytes.length && CLASS[bytes[pos] ?? 0] === SPACE;
}

function isText(bytes: Uint8Array, from: number): boolean {
  const end = Math.min(bytes.length, from + TEXT_BEHIND);
  for (let pos = from; pos < end; pos++) {
    const byte = bytes[pos] ?? 0;
    if (byte > 0x7e || (byte < 0x20 && CLASS[byte] !== SPACE)) return false;
  }
  return true;
}

/** Abbreviated keys of inline images (Table 93). */
export const LONG_KEYS: Readonly<Record<string, string>> = {
  ...{ BPC: 'BitsPerComponent', CS: 'ColorSpace', D: 'Decode', DP: 'DecodeParms', F: 'Filter', H: 'Height' },
  ...{ IM: 'ImageMask', I: 'Interpolate', W: 'Width' },
};

const COMPONENTS: Readonly<Record<string, number>> = {
  ...{ G: 1, DeviceGray: 1, CalGray: 1, RGB: 3, DeviceRGB: 3, CalRGB: 3, CMYK: 4, DeviceCMYK: 4 },
};

function plainLength(dict: Dict): number | undefined {
  const [width, height] = [dict.number('Width'), dict.number('Height')];
  if (width === undefined || height === undefined || !(width > 0 && height > 0 && width * height < 1e9))
    return undefined;
  const mask = dict.get('ImageMask') === true;
  const space = dict.get('ColorSpace');
  const indexed = Array.isArray(space) && space[0] instanceof Name && /^(I|Indexed)$/.test(space[0].value);
  const components = mask || indexed ? 1 : COMPONENTS[space instanceof Name ? space.value : ''];
  const bits = mask ? 1 : dict.number('BitsPerComponent');
  if (components === undefined || bits === undefined) return undefined;
  return Math.ceil((width * components * bits) / 8) * height;
}
