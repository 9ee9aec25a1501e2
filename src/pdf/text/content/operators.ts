// The numbers of pdf.js's operators that text reading looks at. A test compares them with the library's own.

export const OP = {
  ...{
    setLineWidth: 2,
    setGState: 9,
    save: 10,
    restore: 11,
    transform: 12,
    stroke: 20,
    closeStroke: 21,
    fill: 22,
    eoFill: 23,
  },
  ...{ fillStroke: 24, eoFillStroke: 25, closeFillStroke: 26, closeEOFillStroke: 27, beginText: 31 },
  ...{
    setCharSpacing: 33,
    setWordSpacing: 34,
    setHScale: 35,
    setLeading: 36,
    setFont: 37,
    setTextRenderingMode: 38,
    setTextRise: 39,
  },
  ...{ moveText: 40, setLeadingMoveText: 41, setTextMatrix: 42, nextLine: 43, showText: 44, setFillRGBColor: 59 },
  ...{ beginMarkedContent: 69, beginMarkedContentProps: 70, endMarkedContent: 71, paintFormXObjectBegin: 74 },
  ...{ paintFormXObjectEnd: 75, paintImageMaskXObject: 83, paintImageXObject: 85, paintInlineImageXObject: 86 },
  ...{ constructPath: 91 },
} as const;

/** Drawing operators of a page, its forms included: forms that draw forms can multiply without end. */
export const MOST_OPERATORS = 600_000;
