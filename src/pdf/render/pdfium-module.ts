import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

/** PDFium failed, although the file may be sound. `password`: because it needs one. */
export class PdfiumRefusal extends Error {
  readonly password: boolean;

  constructor(message: string, password = false) {
    super(message);
    this.password = password;
  }
}

/** The parts of the emscripten module that we use; the package's types would need those of emscripten. */
export interface Module {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(size: number): number; free(place: number): void };
  addFunction(called: (...numbers: number[]) => number, signature: string): number;
  getValue(place: number, type: 'float' | 'i32'): number;
  setValue(place: number, value: number, type: 'i32' | 'float'): void;
}

export function moduleOf(pdfium: WrappedPdfiumModule): Module {
  return pdfium.pdfium as unknown as Module; // emscripten's module: these members are asked for when the package is built
}

/** What `work` makes with memory of this many bytes, which is freed afterwards. */
export function withMemory<T>({ wasmExports }: Module, size: number, work: (place: number) => T): T {
  const place = wasmExports.malloc(Math.max(size, 1)) >>> 0;
  if (place === 0) throw new PdfiumRefusal(`has no memory for ${size} bytes`);
  try {
    return work(place);
  } finally {
    wasmExports.free(place);
  }
}
