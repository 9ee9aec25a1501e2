// The built-in encodings of the standard fonts Symbol and Zapf Dingbats (ISO 32000-1, D.5 and D.6).

import type { Encoding } from './encodings.ts';

const SYMBOL =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧ\u2206ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλ\u00b5νοπθρστυϖωξψζ{|}∼';
/** From code 0xa0; NUL for none. */
const SYMBOL_HIGH =
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/** The characters of Zapf Dingbats that Unicode had before it took over the others in their order. */
const BEFORE_DINGBATS: Readonly<Record<number, string>> = {
  32: ' ',
  37: '☎',
  42: '☛',
  43: '☞',
  72: '★',
  108: '●',
  110: '■',
  115: '▲',
  116: '▼',
  117: '◆',
  119: '◗',
  213: '→',
  214: '↔',
  215: '↕',
};

/** Names of the glyphs of Zapf Dingbats in the order of their codes: from 0x21, 0x80 and 0xa1, but for 0xf0. */
const DINGBAT_NAMES = `
a1 a2 a202 a3 a4 a5 a119 a118 a117 a11 a12 a13 a14 a15 a16 a105 a17 a18 a19 a20 a21 a22 a23 a24 a25 a26 a27 a28 a6 a7 a8
a9 a10 a29 a30 a31 a32 a33 a34 a35 a36 a37 a38 a39 a40 a41 a42 a43 a44 a45 a46 a47 a48 a49 a50 a51 a52 a53 a54 a55 a56
a57 a58 a59 a60 a61 a62 a63 a64 a65 a66 a67 a68 a69 a70 a71 a72 a73 a74 a203 a75 a204 a76 a77 a78 a79 a81 a82 a83 a84 a97
a98 a99 a100 a89 a90 a93 a94 a91 a92 a205 a85 a206 a86 a87 a88 a95 a96 a101 a102 a103 a104 a106 a107 a108 a112 a111 a110
a109 a120 a121 a122 a123 a124 a125 a126 a127 a128 a129 a130 a131 a132 a133 a134 a135 a136 a137 a138 a139 a140 a141 a142
a143 a144 a145 a146 a147 a148 a149 a150 a151 a152 a153 a154 a155 a156 a157 a158 a159 a160 a161 a163 a164 a196 a165 a192
a166 a167 a168 a169 a170 a171 a172 a173 a162 a174 a175 a176 a177 a178 a179 a193 a180 a199 a181 a200 a182 a201 a183 a184
a197 a185 a194 a198 a186 a195 a187 a188 a189 a190 a191
`;

export type SignFont = 'Symbol' | 'ZapfDingbats';

/** Which of the two standard fonts of signs a font is named after; undefined for other fonts. */
export function signFontNamed(name: string): SignFont | undefined {
  const [, symbol, dingbats] = /^(?:[A-Z]{6}\+)?(?:(Symbol(?:MT)?)|((?:ITC)?ZapfDingbats(?:ITC)?))$/.exec(name) ?? [];
  if (symbol !== undefined) return 'Symbol';
  return dingbats === undefined ? undefined : 'ZapfDingbats';
}

const made: Partial<Record<SignFont, Encoding>> = {};

/** The character of each code. */
export function signEncoding(font: SignFont): Encoding {
  const at = font === 'Symbol' ? symbolAt : dingbatAt;
  made[font] ??= Array.from({ length: 256 }, (_, code) => at(code));
  return made[font];
}

function symbolAt(code: number): string | undefined {
  const character = code < 0xa0 ? SYMBOL[code - 0x20] : SYMBOL_HIGH[code - 0xa0];
  return character === '\0' ? undefined : character;
}

function dingbatAt(code: number): string | undefined {
  if (BEFORE_DINGBATS[code] !== undefined) return BEFORE_DINGBATS[code];
  if (code > 0x20 && code < 0x7f) return String.fromCharCode(0x2700 + code - 0x20);
  if (code >= 0x80 && code <= 0x8d) return String.fromCharCode(0x2768 + code - 0x80);
  if (code >= 0xa8 && code <= 0xab) return '♣♦♥♠'[code - 0xa8];
  if (code >= 0xac && code <= 0xb5) return String.fromCharCode(0x2460 + code - 0xac);
  return code > 0xa0 && code < 0xff && code !== 0xf0 ? String.fromCharCode(0x2700 + code - 0x40) : undefined;
}

let dingbats: ReadonlyMap<string, string> | undefined;

/** The character of a glyph of Zapf Dingbats, by its name: a1 to a206. */
export function dingbatNamed(name: string): string | undefined {
  dingbats ??= new Map(
    DINGBAT_NAMES.trim()
      .split(/\s+/)
      .map((name, i) => [
        name,
        signEncoding('ZapfDingbats').filter((character) => character !== undefined)[i + 1] ?? '',
      ]),
  );
  return dingbats.get(name);
}
