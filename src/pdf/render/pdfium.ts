// PDFium in WebAssembly. A trap or a failed allocation leaves the instance unusable, so it runs in a disposable
// process. The file is read on demand, so that memory holds pages and not documents.

import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { DrawnPage, PageCharacter, PageDrawing, RandomAccess } from '../../contract/base/ports.ts';
import { fill } from '../file/read/random-access.ts';
import { byteAt } from '../syntax/arrays.ts';
import { InnerPictures } from './inner-pictures.ts';
import { type Module, moduleOf, PdfiumRefusal, withMemory } from './pdfium-module.ts';

/** FPDFBitmap_BGR and _BGRA (fpdfview.h). Grey is made from colour: in 8-bit bitmaps PDFium snaps letters to pixels. */
const FORMATS = {
  gray: { format: 2, channels: 3 },
  rgb: { format: 2, channels: 3 },
  rgba: { format: 4, channels: 4 },
} as const;
const ANNOTATIONS = 0x01;
const REVERSE_BYTE_ORDER = 0x10;
const WHITE = 0xffffffff;
const NOTHING = 0x00000000;

/** FPDF_ERR_PASSWORD of FPDF_GetLastError. */
const PASSWORD = 4;

export interface Band {
  readonly top: number;
  readonly rows: number;
}

/** Compiled once per process, so that later documents use optimised code. */
let compiled: Promise<WebAssembly.Module> | undefined;

export class Pdfium {
  private readonly pdfium: WrappedPdfiumModule;

  private constructor(pdfium: WrappedPdfiumModule) {
    this.pdfium = pdfium;
  }

  /** Loads an instance. `wasm`: the bytes of pdfium.wasm, which the package would fetch from the network. */
  static async load(wasm: Uint8Array): Promise<Pdfium> {
    compiled ??= WebAssembly.compile(wasm);
    const [{ init }, module] = await Promise.all([import('@embedpdf/pdfium'), compiled]);
    const pdfium = await new Promise<WrappedPdfiumModule>((resolve, reject) => {
      const instantiateWasm = (imports: Readonly<Record<string, object>>, use: (instance: object) => void) => {
        WebAssembly.instantiate(module, imports).then(use, reject);
        return {};
      };
      init({ instantiateWasm }).then(resolve, reject);
    });
    pdfium.PDFiumExt_Init();
    return new Pdfium(pdfium);
  }

  /** @throws PdfiumRefusal */
  open(source: RandomAccess, password: string | undefined): PdfiumDocument {
    const { pdfium } = this;
    const module = moduleOf(pdfium);
    const read = module.addFunction((_ = 0, position = 0, to = 0, length = 0) => {
      const into = module.HEAPU8.subarray(to >>> 0, (to >>> 0) + length);
      return fill(source, into, position >>> 0) === length ? 1 : 0;
    }, 'iiiii');
    // FPDF_FILEACCESS: the length, the read function and its first argument. Freed with the process.
    const access = module.wasmExports.malloc(12);
    module.setValue(access, source.size, 'i32');
    module.setValue(access + 4, read, 'i32');
    module.setValue(access + 8, 0, 'i32');
    const document = pdfium.FPDF_LoadCustomDocument(access, password ?? '');
    if (document === 0) {
      const error = pdfium.FPDF_GetLastError();
      throw new PdfiumRefusal(`cannot be opened by PDFium (error ${error})`, error === PASSWORD);
    }
    return new PdfiumDocument(pdfium, document);
  }
}

export class PdfiumDocument {
  private readonly pdfium: WrappedPdfiumModule;
  private readonly module: Module;
  private readonly document: number;
  /** PDFium's form handle, which draws fields; 0 where unavailable. */
  private readonly forms: number;

  constructor(pdfium: WrappedPdfiumModule, document: number) {
    this.pdfium = pdfium;
    this.module = moduleOf(pdfium);
    this.document = document;
    this.forms = this.openForms();
  }

  get pageCount(): number {
    return this.pdfium.FPDF_GetPageCount(this.document);
  }

  /** The displayed size in points. */
  size(page: number): { width: number; height: number } {
    const { pdfium, module } = this;
    return withMemory(module, 8, (place) => {
      if (!pdfium.FPDF_GetPageSizeByIndexF(this.document, page - 1, place)) throw unreadable();
      return { width: module.getValue(place, 'float'), height: module.getValue(place + 4, 'float') };
    });
  }

  /** Draws the bands of a page into one buffer: `use` must copy it before its first await. */
  async draw(
    drawing: PageDrawing,
    bands: readonly Band[],
    use: (drawn: DrawnPage, band: Band) => Promise<void>,
  ): Promise<void> {
    const { pdfium, module, forms } = this;
    const { page, width, colours } = drawing;
    const { malloc, free } = module.wasmExports;
    const handle = this.load(page);
    const { channels } = FORMATS[colours];
    const rows = Math.max(...bands.map((band) => band.rows));
    let memory = 0;
    try {
      if (forms !== 0) pdfium.FORM_OnAfterLoadPage(handle, forms);
      memory = malloc(width * channels * rows) >>> 0;
      if (memory === 0) throw new PdfiumRefusal(`has no memory for ${width} x ${rows} pixels`);
      for (const band of bands) {
        this.drawBand(handle, drawing, band, memory);
        const pixels = module.HEAPU8.subarray(memory, memory + width * channels * band.rows);
        const drawn = { width, height: band.rows };
        if (colours === 'gray') await use({ ...drawn, channels: 1, pixels: madeGrey(pixels) }, band);
        else await use({ ...drawn, channels, pixels }, band);
      }
    } finally {
      if (memory !== 0) free(memory);
      if (forms !== 0) pdfium.FORM_OnBeforeClosePage(handle, forms);
      pdfium.FPDF_ClosePage(handle);
    }
  }

  /** The characters of a page in text order, in user space. */
  characters(page: number): PageCharacter[] {
    const { pdfium, module } = this;
    const handle = this.load(page);
    const text = pdfium.FPDFText_LoadPage(handle);
    const place = module.wasmExports.malloc(32);
    try {
      const count = text === 0 ? 0 : pdfium.FPDFText_CountChars(text);
      return Array.from({ length: count }, (_, i) => {
        pdfium.FPDFText_GetCharBox(text, i, place, place + 8, place + 16, place + 24);
        const view = new DataView(module.HEAPU8.buffer, place, 32);
        const [left, right] = [view.getFloat64(0, true), view.getFloat64(8, true)];
        const [bottom, top] = [view.getFloat64(16, true), view.getFloat64(24, true)];
        const code = pdfium.FPDFText_GetUnicode(text, i);
        return {
          text: code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '',
          box: {
            x0: Math.min(left, right),
            y0: Math.min(bottom, top),
            x1: Math.max(left, right),
            y1: Math.max(bottom, top),
          },
          size: this.sizeOfCharacter(text, i, place),
          generated: pdfium.FPDFText_IsGenerated(text, i) === 1,
        };
      });
    } finally {
      module.wasmExports.free(place);
      if (text !== 0) pdfium.FPDFText_ClosePage(text);
      pdfium.FPDF_ClosePage(handle);
    }
  }

  async pictures<T>(page: number, look: (pictures: InnerPictures) => Promise<T>): Promise<T> {
    const { pdfium } = this;
    const handle = this.load(page);
    try {
      return await look(new InnerPictures(pdfium, this.document, handle));
    } finally {
      pdfium.FPDF_ClosePage(handle);
    }
  }

  private load(page: number): number {
    const handle = this.pdfium.FPDF_LoadPage(this.document, page - 1);
    if (handle === 0) throw unreadable();
    return handle;
  }

  private sizeOfCharacter(text: number, i: number, place: number): number {
    const { pdfium } = this;
    const size = pdfium.FPDFText_GetFontSize(text, i);
    if (!pdfium.FPDFText_GetMatrix(text, i, place)) return size;
    const view = new DataView(this.module.HEAPU8.buffer, place, 24);
    const scale = Math.hypot(view.getFloat32(8, true), view.getFloat32(12, true));
    return Number.isFinite(scale) && scale > 0 ? size * scale : size;
  }

  /** The document as PDFium saves it: what it could read, with a new xref table. */
  save(): Uint8Array {
    const { pdfium, module } = this;
    const writer = pdfium.PDFiumExt_OpenFileWriter();
    pdfium.PDFiumExt_SaveAsCopy(this.document, writer);
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer);
    return withMemory(module, size, (place) => {
      pdfium.PDFiumExt_GetFileWriterData(writer, place, size);
      return module.HEAPU8.slice(place, place + size);
    });
  }

  close(): void {
    this.pdfium.FPDF_CloseDocument(this.document);
  }

  private drawBand(handle: number, drawing: PageDrawing, { top, rows }: Band, memory: number): void {
    const { pdfium, forms } = this;
    const { width, height, colours, scale } = drawing;
    const { format, channels } = FORMATS[colours];
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, rows, format, memory, width * channels);
    if (bitmap === 0) throw new PdfiumRefusal(`cannot draw ${width} x ${rows} pixels`);
    try {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, rows, colours === 'rgba' ? NOTHING : WHITE);
      const flags = ANNOTATIONS | REVERSE_BYTE_ORDER;
      if (scale === undefined) pdfium.FPDF_RenderPageBitmap(bitmap, handle, 0, -top, width, height, 0, flags);
      else this.drawScaled(bitmap, handle, scale, { top, rows, width }, flags);
      if (forms !== 0) pdfium.FPDF_FFLDraw(forms, bitmap, handle, 0, -top, width, height, 0, flags);
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  /** Draws to scale: PDFium truncates the page box to whole points, and the matrix compensates. */
  private drawScaled(
    bitmap: number,
    handle: number,
    scale: number,
    band: Band & { width: number },
    flags: number,
  ): void {
    const { pdfium, module } = this;
    const scaled = (side: number) => (scale * side) / Math.trunc(side);
    const x = scaled(pdfium.FPDF_GetPageWidthF(handle));
    const y = scaled(pdfium.FPDF_GetPageHeightF(handle));
    // FS_MATRIX and FS_RECTF: left, top, right, bottom.
    const numbers = [x, 0, 0, y, 0, -band.top, 0, 0, band.width, band.rows];
    withMemory(module, 4 * numbers.length, (place) => {
      for (const [i, number] of numbers.entries()) module.setValue(place + 4 * i, number, 'float');
      pdfium.FPDF_RenderPageBitmapWithMatrix(bitmap, handle, place, place + 24, flags);
    });
  }

  private openForms(): number {
    const { pdfium } = this;
    const forms = pdfium.PDFiumExt_InitFormFillEnvironment(this.document, pdfium.PDFiumExt_OpenFormFillInfo());
    // Turns off the highlight of fillable fields.
    if (forms !== 0) pdfium.FPDF_SetFormFieldHighlightAlpha(forms, 0);
    return forms;
  }
}

/** Luma of ITU-R BT.601, in place: the first third of the bytes. */
function madeGrey(pixels: Uint8Array): Uint8Array {
  const count = pixels.length / 3;
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    pixels[i] = (byteAt(pixels, at) * 77 + byteAt(pixels, at + 1) * 150 + byteAt(pixels, at + 2) * 29 + 128) >> 8;
  }
  return pixels.subarray(0, count);
}

function unreadable(): PdfiumRefusal {
  return new PdfiumRefusal('cannot be read by PDFium');
}
