import { closeSync, openSync, writeSync } from 'node:fs';

interface Shape {
  readonly pages?: number;
  /** Bytes of an uncompressed image on each page, which cannot be made smaller. */
  readonly imageBytes?: number;
}

/** Writes a PDF whose pages are `WIDTH` points wide, 100, 101, 102 …, so that pages can be told apart. */
export function makePdf(path: string, { pages = 1, imageBytes = 0 }: Shape = {}): string {
  const file = openSync(path, 'w');
  const offsets: number[] = [];
  let position = 0;
  const put = (bytes: string | Uint8Array) => {
    const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    writeSync(file, data);
    position += data.length;
  };
  const object = (...pieces: (string | Uint8Array)[]) => {
    offsets.push(position);
    put(`${offsets.length} 0 obj\n`);
    for (const piece of pieces) put(piece);
    put('\nendobj\n');
  };
  put('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n');
  object('<</Type/Catalog/Pages 2 0 R>>');
  const kids = Array.from({ length: pages }, (_, page) => `${3 + 2 * page} 0 R`);
  object(`<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`);
  for (let page = 0; page < pages; page++) {
    object(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${100 + page} 200]/Resources<</XObject<</I ${4 + 2 * page} 0 R>>>>>>`,
    );
    const image = noise(imageBytes, page);
    object(
      `<</Type/XObject/Subtype/Image/Width ${imageBytes || 1}/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length ${image.length}>>stream\n`,
      image,
      '\nendstream',
    );
  }
  const xref = position;
  put(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) put(`${String(offset).padStart(10, '0')} 00000 n \n`);
  put(`trailer<</Size ${offsets.length + 1}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF\n`);
  closeSync(file);
  return path;
}

/** The same bytes for the same page, on every run. */
function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(1, length));
  let state = seed * 2654435761 + 1;
  for (let index = 0; index < bytes.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
