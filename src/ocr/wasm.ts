// tesseract in WebAssembly (tesseract.js-core, Apache-2.0, with data of @tesseract.js-data). Users install both
// packages themselves. It runs in a process of its own: see recogniser.ts.
import { gunzipSync } from 'node:zlib';

/** The part of tesseract.js-core that is used; the package has no types. */
interface Core {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => {
    Init(path: null, languages: string, mode: number): number;
    SetVariable(name: string, value: string): boolean;
    SetImageFile(): number;
    Recognize(monitor: null): number;
    GetHOCRText(page: number): string;
  };
}

export type MakeCore = (options: { wasmBinary: Uint8Array; print(): void; printErr(): void }) => Promise<Core>;

/** One of the six builds of the package: LSTM models only, with the vector instructions that Node 20 has. */
export const CORE_MODULE = 'tesseract.js-core/tesseract-core-simd-lstm.js';
const CORE_WASM = 'tesseract.js-core/tesseract-core-simd-lstm.wasm';
/** The smaller of the package's two models, which recognises as well (measured on four pages). */
const MODEL = '4.0.0_best_int';
const LSTM_ONLY = 1;
/** Bytes of a model, unpacked: twice the largest. */
const MOST_MODEL = 64 << 20;

/** Recognises a PGM and returns hOCR. `file`: reads a file of an installed package. */
export async function recogniseByWasm(
  picture: Uint8Array,
  languages: string,
  dpi: string,
  make: MakeCore,
  file: (path: string) => Promise<Uint8Array>,
): Promise<string> {
  const core = await make({ wasmBinary: await file(CORE_WASM), print() {}, printErr() {} });
  for (const language of languages.split('+')) {
    const packed = await file(`@tesseract.js-data/${language}/${MODEL}/${language}.traineddata.gz`);
    core.FS.writeFile(`/${language}.traineddata`, gunzipSync(packed, { maxOutputLength: MOST_MODEL }));
  }
  const api = new core.TessBaseAPI();
  if (api.Init(null, languages, LSTM_ONLY) !== 0) throw new Error(`its data for ${languages} cannot be read`);
  api.SetVariable('tessedit_pageseg_mode', '3');
  api.SetVariable('user_defined_dpi', dpi);
  core.FS.writeFile('/input', picture);
  if (api.SetImageFile() !== 0 || api.Recognize(null) !== 0) throw new Error('the picture cannot be read');
  return api.GetHOCRText(0);
}
