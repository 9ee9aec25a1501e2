// Extracts the pictures of a page with PDFium.

import { createHash } from 'node:crypto';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { DrawnPage, InnerPicture } from '../../contract/base/ports.ts';
import { IDENTITY, type Matrix, multiply } from '../page/geometry.ts';
import { byteAt } from '../syntax/arrays.ts';
import { checkSize } from './bounds.ts';
import { type Module, moduleOf, PdfiumRefusal, withMemory } from './pdfium-module.ts';
import { PngWriter } from './png-file.ts';

/** fpdf_edit.h: FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_FORM. */
const IMAGE = 3;
const FORM = 5;
/** Limits of nested forms, and of pictures on a page. */
const MOST_NESTED = 12;
const MOST_PICTURES = 5_000;
/** The side in pixels of the drawing that reveals whether a picture has transparency. */
const PROBE = 24;
const POINTS = 72;

interface PictureObject {
  readonly handle: number;
  readonly width: number;
  readonly height: number;
  /** The size on the page in points. */
  readonly shownWidth: number;
  readonly shownHeight: number;
  /** The last filter, such as DCTDecode; undefined without one. */
  readonly filter: string | undefined;
}

export class InnerPictures {
  private readonly pdfium: WrappedPdfiumModule;
  private readonly module: Module;
  private readonly document: number;
  private readonly page: number;
  private readonly objects: PictureObject[] = [];

  constructor(pdfium: WrappedPdfiumModule, document: number, page: number) {
    this.pdfium = pdfium;
    this.module = moduleOf(pdfium);
    this.document = document;
    this.page = page;
    const count = pdfium.FPDFPage_CountObjects(page);
    for (let i = 0; i < count; i += 1) this.collect(pdfium.FPDFPage_GetObject(page, i), IDENTITY, 0);
  }

  list(): InnerPicture[] {
    return this.objects.map((picture) => {
      const { width, height, shownWidth, shownHeight, filter } = picture;
      const dpi = (pixels: number, points: number) => (points > 0 ? Math.round((pixels * POINTS) / points) : 0);
      const masked = this.isMasked(picture);
      return {
        width,
        height,
        x_dpi: dpi(width, shownWidth),
        y_dpi: dpi(height, shownHeight),
        masked,
        filter: filter ?? 'none',
        type: filter === 'DCTDecode' && !masked ? 'jpeg' : 'png',
        hash: this.hashOf(picture),
      };
    });
  }

  /** The original bytes of a JPEG; a PNG of all others, with masks applied. */
  async read(page: number, index: number): Promise<Uint8Array> {
    const picture = this.objects[index];
    if (picture === undefined) throw new PdfiumRefusal(`has no picture ${index + 1}`);
    const { handle, filter, width, height, shownWidth } = picture;
    const masked = this.isMasked(picture);
    if (filter === 'DCTDecode' && !masked)
      return this.bytes((place, size) => this.pdfium.FPDFImageObj_GetImageDataDecoded(handle, place, size));
    checkSize({ page, width, height }, 'pixels');
    const plain = () => this.pixelsOf(this.pdfium.FPDFImageObj_GetBitmap(handle));
    const drawn = masked ? this.rendered(handle, width, height) : plain();
    const writer = new PngWriter(drawn, shownWidth > 0 ? (drawn.width * POINTS) / shownWidth : POINTS);
    await writer.add(drawn);
    return writer.finish();
  }

  private collect(object: number, around: Matrix, depth: number): void {
    const { pdfium, module } = this;
    const type = pdfium.FPDFPageObj_GetType(object);
    if ((type !== IMAGE && type !== FORM) || this.objects.length >= MOST_PICTURES || depth > MOST_NESTED) return;
    const matrix = multiply(this.matrixOf(object), around);
    if (type === FORM) {
      const count = pdfium.FPDFFormObj_CountObjects(object);
      for (let i = 0; i < count; i += 1) this.collect(pdfium.FPDFFormObj_GetObject(object, i), matrix, depth + 1);
      return;
    }
    const [width, height] = withMemory(module, 8, (place) =>
      pdfium.FPDFImageObj_GetImagePixelSize(object, place, place + 4)
        ? [module.getValue(place, 'i32'), module.getValue(place + 4, 'i32')]
        : [],
    );
    const shownWidth = Math.hypot(matrix[0], matrix[1]);
    const shownHeight = Math.hypot(matrix[2], matrix[3]);
    if (!width || !height) return;
    this.objects.push({ handle: object, width, height, shownWidth, shownHeight, filter: this.filterOf(object) });
  }

  private matrixOf(object: number): Matrix {
    return withMemory(this.module, 24, (place) => {
      if (!this.pdfium.FPDFPageObj_GetMatrix(object, place)) return IDENTITY;
      const at = (i: number) => this.module.getValue(place + 4 * i, 'float');
      return [at(0), at(1), at(2), at(3), at(4), at(5)];
    });
  }

  private filterOf(object: number): string | undefined {
    const { pdfium } = this;
    const count = pdfium.FPDFImageObj_GetImageFilterCount(object);
    if (count < 1) return undefined;
    const bytes = this.bytes((place, size) => pdfium.FPDFImageObj_GetImageFilter(object, count - 1, place, size));
    return Buffer.from(bytes).toString('latin1').replace(/\0.*$/s, '');
  }

  private hashOf({ handle, width, height }: PictureObject): string {
    const raw = this.bytes((place, size) => this.pdfium.FPDFImageObj_GetImageDataRaw(handle, place, size));
    return createHash('sha256').update(`${width} ${height} `).update(raw).digest('hex').slice(0, 32);
  }

  /** Whether a small drawing of it has transparent pixels. */
  private isMasked({ handle }: PictureObject): boolean {
    const { channels, pixels } = this.rendered(handle, PROBE, PROBE);
    return channels === 4 && pixels.some((value, i) => i % 4 === 3 && value < 255);
  }

  /** Draws it with its mask at the given size; changes its matrix on the page. */
  private rendered(object: number, width: number, height: number): DrawnPage {
    const { pdfium, document, page } = this;
    pdfium.FPDFImageObj_SetMatrix(object, width, 0, 0, height, 0, 0);
    return this.pixelsOf(pdfium.FPDFImageObj_GetRenderedBitmap(document, page, object));
  }

  private pixelsOf(bitmap: number): DrawnPage {
    const { pdfium, module } = this;
    if (bitmap === 0) throw new PdfiumRefusal('has a picture that PDFium cannot decode');
    try {
      const width = pdfium.FPDFBitmap_GetWidth(bitmap);
      const height = pdfium.FPDFBitmap_GetHeight(bitmap);
      const stride = pdfium.FPDFBitmap_GetStride(bitmap);
      const from = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
      // FPDFBitmap_Gray, _BGR, _BGRx, _BGRA.
      const format = pdfium.FPDFBitmap_GetFormat(bitmap) - 1;
      const [size, channels] = [[1, 3, 4, 4][format], ([1, 3, 3, 4] as const)[format]];
      if (size === undefined || channels === undefined)
        throw new PdfiumRefusal('has a picture of a kind that is not known');
      const { HEAPU8 } = module;
      const pixels = new Uint8Array(width * height * channels);
      let to = 0;
      for (let y = 0; y < height; y += 1) {
        for (let at = from + y * stride, end = at + width * size; at < end; at += size) {
          if (channels === 1) pixels[to++] = byteAt(HEAPU8, at);
          else {
            pixels[to++] = byteAt(HEAPU8, at + 2);
            pixels[to++] = byteAt(HEAPU8, at + 1);
            pixels[to++] = byteAt(HEAPU8, at);
            if (channels === 4) pixels[to++] = byteAt(HEAPU8, at + 3);
          }
        }
      }
      return { width, height, channels, pixels };
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap);
    }
  }

  /** Reads bytes in two calls of PDFium: for their number, then for them. */
  private bytes(fill: (place: number, size: number) => number): Uint8Array {
    const { module } = this;
    const size = fill(0, 0);
    return withMemory(module, size, (place) => {
      fill(place, size);
      return module.HEAPU8.slice(place, place + size);
    });
  }
}
