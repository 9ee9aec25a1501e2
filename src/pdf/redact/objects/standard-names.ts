import { PdfString, type Value } from '../../syntax/values.ts';

/** Names of the PDF standard that outputs may have: they reveal nothing about the document. */
export const STANDARD_NAMES: ReadonlySet<string> = new Set(
  `Type Page Pages Catalog Kids Count Parent MediaBox Rotate UserUnit Resources Contents Group Annots Annot Link Rect Border
  A S URI Dest Fit Font XObject ExtGState ColorSpace Pattern Shading Subtype Form Image FormType BBox Matrix Length Filter
  DecodeParms FlateDecode LZWDecode ASCII85Decode ASCIIHexDecode RunLengthDecode DCTDecode JPXDecode CCITTFaxDecode
  JBIG2Decode JBIG2Globals Predictor Colors Columns Rows BlackIs1 EncodedByteAlign EndOfLine EndOfBlock EarlyChange
  DamagedRowsBeforeError ColorTransform K Width Height BitsPerComponent Decode ImageMask Interpolate Intent Matte SMask Mask
  SMaskInData Luminosity Alpha G BC TR None Transparency CS I DeviceGray DeviceRGB DeviceCMYK CalGray CalRGB Lab ICCBased
  Indexed Separation DeviceN Alternate N Range WhitePoint BlackPoint Gamma All Cyan Magenta Yellow Black Process Components
  Colorants MixingHints Solidities PrintingOrder DotGain NChannel Attributes ShadingType Coords Domain Function FunctionType Functions Bounds
  Encode Extend C0 C1 Size BitsPerSample Order Background AntiAlias BitsPerCoordinate BitsPerFlag VerticesPerRow
  PatternType PaintType TilingType XStep YStep BaseFont FontDescriptor FontName FirstChar LastChar Widths Encoding ToUnicode
  DescendantFonts CIDSystemInfo Registry Ordering Supplement DW W DW2 W2 CIDToGIDMap Identity Identity-H Type0 Type1 Type1C
  Type3 TrueType MMType1 CIDFontType0 CIDFontType2 CIDFontType0C OpenType FontMatrix FontBBox CharProcs Flags ItalicAngle
  Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth FontWeight FontStretch FontFile
  FontFile2 FontFile3 Length1 Length2 Length3 BaseEncoding Differences WinAnsiEncoding MacRomanEncoding StandardEncoding
  MacExpertEncoding LW LC LJ ML D RI OP op OPM BG BG2 UCR UCR2 TR2 HT FL SM SA BM CA ca AIS TK Normal Multiply Screen
  Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity
  Compatible Default Perceptual RelativeColorimetric AbsoluteColorimetric HalftoneType HalftoneName Frequency Angle
  SpotFunction Condensed Expanded SemiCondensed SemiExpanded ExtraCondensed ExtraExpanded UltraCondensed UltraExpanded
  Outlines Title Parent First Last Prev Next Lang MarkInfo Marked StructTreeRoot StructElem ParentTree ParentTreeNextKey Nums
  Document Part Art Sect Div BlockQuote Caption TOC TOCI NonStruct P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD THead
  TBody TFoot Span Quote Note Reference BibEntry Code Annot Ruby RB RT RP Warichu WT WP Figure Formula Artifact OBJR MCR MCID
  O RowSpan ColSpan Scope Column Row Both List ListNumbering None Disc Circle Square Decimal UpperRoman LowerRoman UpperAlpha
  LowerAlpha Layout Placement Block Inline Before Start End WritingMode LrTb RlTb TbRl TextAlign Center Justify Width Height
  StructParent StructParents Alt ActualText AcroForm Fields Widget Btn Tx Ch FT Ff TU DA DR DV Opt AP AS MK BS NeedAppearances Off
  Helvetica Courier Symbol ZapfDingbats ArialMT Adobe UCS CMap CMapName WMode UseCMap Metadata Root ID Index`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const COLLECTIONS = new Set(['Adobe', 'Identity', 'UCS', 'Japan1', 'GB1', 'CNS1', 'Korea1', 'KR']);

/** Whether an entry of a font names a standard collection of characters (ISO 32000-1, 9.7.3): `Adobe` is in every such font. */
export function namesCollection(key: string, value: Value): boolean {
  if ((key !== 'Registry' && key !== 'Ordering') || !(value instanceof PdfString)) return false;
  return COLLECTIONS.has(Buffer.from(value.bytes).toString('latin1'));
}
