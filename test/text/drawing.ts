import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';
import type { Context, RandomAccess } from '../../src/contract/base/ports.ts';

export interface Fonts {
  readonly regular: PDFFont;
  readonly bold: PDFFont;
  readonly italic: PDFFont;
  readonly mono: PDFFont;
}

/** A PDF of A4 pages, each drawn by one function; y counts down from the top. */
export async function draw(...pages: ((pen: Pen) => void)[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const fonts = {
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    italic: await document.embedFont(StandardFonts.HelveticaOblique),
    mono: await document.embedFont(StandardFonts.Courier),
  };
  for (const work of pages) work(new Pen(document.addPage([595, 842]), fonts));
  return document.save();
}

export class Pen {
  private readonly page: PDFPage;
  private readonly fonts: Fonts;

  constructor(page: PDFPage, fonts: Fonts) {
    this.page = page;
    this.fonts = fonts;
  }

  text(text: string, x: number, y: number, { size = 10, font = 'regular' as keyof Fonts } = {}): void {
    this.page.drawText(text, { x, y: 842 - y, size, font: this.fonts[font] });
  }

  /** Lines below each other, 13 points apart; returns the y after them. */
  lines(texts: readonly string[], x: number, y: number, options: { size?: number; font?: keyof Fonts } = {}): number {
    for (const [i, text] of texts.entries()) this.text(text, x, y + 13 * i, options);
    return y + 13 * texts.length;
  }

  /** Texts on one line, each behind the one before it. */
  row(
    x: number,
    y: number,
    ...parts: (readonly [text: string, font?: keyof Fonts, size?: number, rise?: number])[]
  ): void {
    let at = x;
    for (const [text, font = 'regular', size = 10, rise = 0] of parts) {
      this.text(text, at, y - rise, { size, font });
      at += this.fonts[font].widthOfTextAtSize(text, size);
    }
  }

  rule(x0: number, y0: number, x1: number, y1: number): void {
    this.page.drawLine({ start: { x: x0, y: 842 - y0 }, end: { x: x1, y: 842 - y1 }, thickness: 0.5 });
  }

  shade(x0: number, y0: number, x1: number, y1: number): void {
    this.page.drawRectangle({ x: x0, y: 842 - y1, width: x1 - x0, height: y1 - y0, color: rgb(0.8, 0.85, 1) });
  }
}

export function sourceOf(bytes: Uint8Array, name = 'in.pdf'): RandomAccess {
  return {
    name,
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
    async *open() {
      yield bytes;
    },
  };
}

export function context(signal = new AbortController().signal): Context {
  return {
    signal,
    clock: { now: () => 0, sleep: async () => undefined },
    temp: {
      create(name) {
        const parts: Uint8Array[] = [];
        return {
          name,
          get size() {
            return parts.reduce((sum, part) => sum + part.length, 0);
          },
          write: (bytes) => void parts.push(bytes.slice()),
          discard: () => void parts.splice(0),
          finish: () => sourceOf(new Uint8Array(Buffer.concat(parts)), name),
        };
      },
    },
    progress: () => undefined,
    detail: () => undefined,
  };
}
