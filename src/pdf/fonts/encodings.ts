// The named encodings of PDF (ISO 32000-1, Annex D): the character of each code.

import { entryAt } from '../../contract/base/present.ts';
import { characterNamed } from './glyph-names.ts';
import { STANDARD_ENCODING } from './programs/standard-strings.ts';

export type Encoding = readonly (string | undefined)[];
export type EncodingName = 'WinAnsiEncoding' | 'MacRomanEncoding' | 'StandardEncoding';

/** From code 0x80; NUL for none. Spelt out, because the system's decoders cost milliseconds to load. */
const WIN =
  '€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ ¡¢£¤¥¦§¨©ª«¬-®¯°±²³´\u00b5¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ';
const MAC =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥\u00b5∂∑∏π∫ªº\u2126æø¿¡¬√ƒ≈\u2206«»… ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\uf8ffÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ';

const MAKERS: Readonly<Record<EncodingName, () => Encoding>> = {
  WinAnsiEncoding: () => latin(WIN, '•'),
  MacRomanEncoding: () => latin(MAC, undefined),
  StandardEncoding: () =>
    Array.from({ length: 256 }, (_, code) => characterNamed(STANDARD_ENCODING.get(code) ?? '.notdef')),
};

const made = new Map<EncodingName, Encoding>();

export function encodingNamed(name: EncodingName): Encoding {
  return entryAt(made, name, MAKERS[name]);
}

/** ASCII below `high`; `last`: the character of 0x7f. */
function latin(high: string, last: string | undefined): Encoding {
  return Array.from({ length: 256 }, (_, code) => {
    if (code < 0x20) return undefined;
    if (code === 0x7f) return last;
    const character = code < 0x80 ? String.fromCharCode(code) : high[code - 0x80];
    return character === '\0' ? undefined : character;
  });
}
