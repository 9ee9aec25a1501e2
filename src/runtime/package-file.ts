import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of a package that is installed with this program, such as `@embedpdf/pdfium/pdfium.wasm`. */
export function readPackageFile(name: string): Uint8Array {
  return readFileSync(createRequire(import.meta.url).resolve(name));
}
