// Decodes JBIG2 (ITU-T T.88) as in PDF, by pdf.js's image decoders, which throw on features they do not know.

/** 7.4.8. */
const PAGE_INFORMATION = 48;

/**
 * The rows of a picture, as JBIG2Decode gives them; undefined where its own page has another size. Call it in a process
 * that can be ended: a file may be made to take long.
 */
export async function decodeJbig2(
  data: Uint8Array,
  globals: Uint8Array | undefined,
  width: number,
  height: number,
): Promise<Uint8Array | undefined> {
  const page = pageSize(data);
  if (page === undefined || page.width !== width || page.height !== height) return undefined;
  const { Jbig2Image } = await import('pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs');
  const chunks = [...(globals === undefined ? [] : [globals]), data].map((bytes) => ({
    data: bytes,
    start: 0,
    end: bytes.length,
  }));
  const pixels = new Jbig2Image().parseChunks(chunks);
  if (pixels.length !== ((width + 7) >> 3) * height) return undefined;
  // JBIG2's black, 1, is PDF's 0 (ISO 32000-1, 7.4.7).
  const rows = new Uint8Array(pixels.length);
  for (let i = 0; i < rows.length; i++) rows[i] = ~(pixels[i] ?? 0);
  return rows;
}

/** The size in the page information segment; segments before it are skipped (7.2). */
function pageSize(data: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 11 <= data.length; ) {
    const number = view.getUint32(at);
    const flags = data[at + 4] ?? 0;
    const many = (data[at + 5] ?? 0) >> 5 === 7;
    const count = many ? view.getUint32(at + 5) & 0x1fff_ffff : (data[at + 5] ?? 0) >> 5;
    const refs = number <= 256 ? 1 : number <= 65_536 ? 2 : 4;
    at += (many ? 9 + ((count + 8) >> 3) : 6) + count * refs + ((flags & 0x40) === 0 ? 1 : 4);
    if (at + 4 > data.length) return undefined;
    const length = view.getUint32(at);
    at += 4;
    if ((flags & 63) === PAGE_INFORMATION && at + 8 <= data.length)
      return { width: view.getUint32(at), height: view.getUint32(at + 4) };
    at += length;
  }
  return undefined;
}
