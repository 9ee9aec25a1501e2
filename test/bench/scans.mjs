// Documents as scanners make them, from printed pages of the bench: drawn by MuPDF, put on tinted paper a little askew,
// lit unevenly, blurred, with the grain of a sensor, and coded as JPEG, Flate or Group 4.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { openPicturePages } from './picture-pages.mjs';

/** Writes a document of so many pages of `source`. `kind`: how it is coded. */
export async function drawScan(out, source, { kind, dpi, pages }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-scans-'));
  try {
    execFileSync('mutool', ['draw', '-q', '-r', String(dpi), '-o', join(folder, 'p-%04d.png'), source, pages]);
    const pdf = openPicturePages(out);
    for (const [seed, name] of readdirSync(folder).sort().entries()) {
      const { width, height, data, entries } = await pictureOf(join(folder, name), seed + 1, kind, dpi);
      const sides = [width, height].map((side) => ((side * 72) / dpi).toFixed(2));
      pdf.addPage({ data, entries: `/Width ${width}/Height ${height}${entries}`, sides });
    }
    pdf.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pictureOf(path, seed, kind, dpi) {
  const paper = await scanned(path, seed, dpi);
  const { width, height } = paper;
  const image = sharp(paper.pixels, { raw: { width, height, channels: 3 } });
  if (kind === 'color' || kind === 'gray') {
    const data = await (kind === 'gray' ? image.toColourspace('b-w') : image).jpeg({ quality: 85 }).toBuffer();
    return {
      width,
      height,
      data,
      entries: `/ColorSpace/Device${kind === 'gray' ? 'Gray' : 'RGB'}/BitsPerComponent 8/Filter/DCTDecode`,
    };
  }
  const grey = await image.toColourspace('b-w').raw().toBuffer();
  const stride = (width + 7) >> 3;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (grey[y * width + x] > 150) rows[y * stride + (x >> 3)] |= 0x80 >> (x & 7);
  const bits = '/ColorSpace/DeviceGray/BitsPerComponent 1';
  if (kind === 'flate') return { width, height, data: deflateSync(rows), entries: `${bits}/Filter/FlateDecode` };
  const fax = `/o (%stdout) (w) file def /f o <</Columns ${width} /K -1>> /CCITTFaxEncode filter def
    /s 65535 string def { (%stdin) (r) file s readstring exch f exch writestring not { exit } if } loop
    f closefile o closefile quit`;
  const options = ['-q', '-dNODISPLAY', '-dBATCH', '-dNOSAFER', '-c', fax];
  const data = execFileSync('gs', options, { input: rows, maxBuffer: 1 << 28 });
  return { width, height, data, entries: `${bits}/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${width}>>` };
}

const PAPER = { r: 250, g: 247, b: 238 };
/** How much darker the side of a page at the spine is. */
const SHADE = 18;
const GRAIN = 3;

async function scanned(path, seed, dpi) {
  const { data, info } = await sharp(path)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .rotate(((seed % 5) - 2) * 0.25, { background: '#fff' })
    .blur(Math.max(0.5, dpi / 400))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  let state = seed;
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      // A sum of four bytes is nearly normal.
      const grain =
        (((state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24)) / 510 - 1) * GRAIN * 2;
      const shade = SHADE * Math.max(0, 1 - x / (width * 0.12));
      // Ink is never quite black.
      for (const tint of [PAPER.r, PAPER.g, PAPER.b]) {
        const light = 25 + (data[at] / 255) * (tint - 25) - shade + grain;
        data[at++] = Math.max(0, Math.min(255, light));
      }
    }
  return { width, height, pixels: data };
}
