/** The properties of a font in pdf.js that are used. */
interface FontInfo {
  readonly name?: string;
  readonly bold?: boolean;
  readonly black?: boolean;
  readonly italic?: boolean;
  readonly isMonospace?: boolean;
  readonly isType3Font?: boolean;
  readonly vertical?: boolean;
  readonly fontMatrix?: readonly number[];
  readonly bbox?: readonly number[];
  /** By code; holes where there is none. */
  readonly widths?: readonly number[];
  readonly defaultVMetrics?: readonly number[];
  readonly composite?: boolean;
  /** Undefined where codes are Unicode. A copy from a thread has no methods. */
  readonly toUnicode?: { readonly _map?: readonly (string | undefined)[] };
}

/** The look of a font. One object per font of a document, compared by identity. */
export interface Face {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
}

/** A face with the metrics for placing its glyphs. */
export interface PlacedFace extends Face {
  /** Em per unit of a glyph's width, along the line. */
  readonly unit: number;
  /** Height of the em per unit of font size; 1 but for Type 3 fonts. */
  readonly em: number;
  readonly vertical: boolean;
  /** Its glyphs are procedures (Type 3), which draw in any text rendering mode. */
  readonly procedures: boolean;
  readonly verticalAdvance: number;
  /** By code, for a composite font whose codes are no characters themselves. */
  readonly characters: readonly (string | undefined)[] | undefined;
}

const BOLD = /bold|black|heavy|semibd|demi(?!cal)|[-_,]bd\b|cmbx|cmssbx|ptmb|nimbus.*medi|-medi\b|sfbx|ecbx/i;
const ITALIC = /italic|oblique|slanted|[-_,]it\b|cmti|cmsl|-(regu|medi)?ital?\b|sfti|ecti/i;
const MONO =
  /mono(?!type)|courier|consol|menlo|typewriter|\bcmtt|cmtt\d|sftt|ectt|lmtt|inconsolata|source ?code|fira ?code|hack-|lucidacons|letter ?gothic|nimbusmon|fixed|terminal/i;

/** CJK fonts claim to be fixed-pitch, whatever their Latin letters are. */
const CJK_NAME =
  /cjk|gothic|mincho|ming|song|simhei|simsun|batang|gulim|dotum|meiryo|hiragino|kaiti|fangsong|heiti|yahei|jhenghei|hanazono|source ?han/i;

/** Fonts of recognised text have one width for all characters, whatever the picture shows. */
const GLYPHLESS = /glyphless/i;

export function faceOf(info: FontInfo | null): PlacedFace {
  const name = (info?.name ?? '').replace(/^[A-Z]{6}\+/, '');
  const matrix = info?.fontMatrix;
  const unit = matrix?.[0] === undefined || matrix[0] === 0 ? 0.001 : Math.abs(matrix[0]);
  return {
    name,
    bold: info?.bold === true || info?.black === true || BOLD.test(name),
    italic: info?.italic === true || ITALIC.test(name),
    mono: !GLYPHLESS.test(name) && (MONO.test(name) || (info?.isMonospace === true && !CJK_NAME.test(name))),
    unit,
    em: info?.isType3Font === true ? emOfType3(info) : 1,
    vertical: info?.vertical === true,
    procedures: info?.isType3Font === true,
    verticalAdvance: -(info?.defaultVMetrics?.[0] ?? -1000),
    characters: info?.composite === true ? info.toUnicode?._map : undefined,
  };
}

export const NO_FACE = faceOf(null);

/**
 * A Type 3 font may have any coordinates: unless they are thousandths, the height of its box is the best measure, or the
 * widths of its glyphs, which are half an em on the average.
 */
function emOfType3(info: FontInfo): number {
  const [, y0 = 0, , y1 = 0] = info.bbox ?? [];
  const scale = Math.abs(info.fontMatrix?.[3] ?? 0.001);
  if (scale > 0.0005 && scale < 0.002) return scale * 1000;
  const height = Math.abs(y1 - y0) * scale;
  if (height > 0.1 && height < 100) return height;
  const widths = Object.values(info.widths ?? []).filter((width) => width > 0);
  const mean = widths.reduce((sum, width) => sum + width, 0) / widths.length;
  return widths.length > 0 ? 2 * mean * Math.abs(info.fontMatrix?.[0] ?? 0.001) : scale * 1000;
}
