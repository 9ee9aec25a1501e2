import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';

const [input, output] = process.argv.slice(2);
const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
const pdfium = await init({ wasmBinary });
pdfium.PDFiumExt_Init();
const bytes = readFileSync(input);
const { wasmExports } = pdfium.pdfium;
const file = wasmExports.malloc(bytes.length);
pdfium.pdfium.HEAPU8.set(bytes, file);
const document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '');
if (document === 0) throw new Error(`PDFium cannot open ${input}`);
const texts = [];
for (let i = 0; i < pdfium.FPDF_GetPageCount(document); i += 1) {
  const page = pdfium.FPDF_LoadPage(document, i);
  const text = pdfium.FPDFText_LoadPage(page);
  const count = pdfium.FPDFText_CountChars(text);
  const place = wasmExports.malloc(2 * (count + 1));
  const written = pdfium.FPDFText_GetText(text, 0, count, place);
  const { HEAPU8 } = pdfium.pdfium;
  texts.push(Buffer.from(HEAPU8.buffer, place, 2 * Math.max(0, written - 1)).toString('utf16le'));
  wasmExports.free(place);
  pdfium.FPDFText_ClosePage(text);
  pdfium.FPDF_ClosePage(page);
}
writeFileSync(output, texts.join('\n'));
