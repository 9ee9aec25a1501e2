import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Result } from '../../src/contract/base/ports.ts';
import { Pdfium } from '../../src/pdf/render/pdfium.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';
import { open, pdfOf } from '../structure/run.ts';

/** A folder for files and outputs, removed at the end. */
export class Bench {
  private readonly folder = mkdtempSync(join(tmpdir(), 'edit-'));
  private count = 0;

  at(name: string): string {
    return join(this.folder, name);
  }

  keep(name: string, content: string | Uint8Array): string {
    writeFileSync(this.at(name), content, 'latin1');
    return this.at(name);
  }

  /** Runs a handler and keeps what it made; qpdf must find nothing wrong with it. */
  async make<I>(
    run: (input: I, ctx: Context) => Promise<Result>,
    input: I,
  ): Promise<{ path: string; warnings: readonly string[] }> {
    const result = await run(input, createContext());
    if (result.kind !== 'bytes') throw new TypeError(`one file was expected, not ${result.kind}`);
    this.count += 1;
    const path = this.keep(`output-${this.count}.pdf`, await bytesOf(result.body));
    const { stdout, stderr, status } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`qpdf: ${stdout}${stderr}`);
    return { path, warnings: result.warnings ?? [] };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export { open };

/** A word where poppler sees it, in points from the top left of the page as it is shown. */
interface SeenWord {
  readonly text: string;
  readonly box: readonly [x0: number, y0: number, x1: number, y1: number];
}

export interface SeenPage {
  readonly width: number;
  readonly height: number;
  readonly words: readonly SeenWord[];
}

export function wordsOf(path: string): SeenPage[] {
  const html = execFileSync('pdftotext', ['-bbox', '-cropbox', path, '-'], { encoding: 'utf8' });
  return html
    .split('<page ')
    .slice(1)
    .map((page, i) => {
      // What poppler says of its size is of the page before it is turned.
      const { width, height } = byPoppler(path, i + 1);
      const words = [
        ...page.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</g),
      ];
      return {
        width,
        height,
        words: words.map(([, x0, y0, x1, y1, text = '']) => ({
          text,
          box: [Number(x0), Number(y0), Number(x1), Number(y1)] as const,
        })),
      };
    });
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Shades of grey, row by row from the top. */
  readonly pixels: Uint8Array;
}

/** A page as poppler draws it, at 72 dots an inch unless told. */
export function byPoppler(path: string, page = 1, dpi = 72): Pixels {
  const range = ['-f', String(page), '-l', String(page), '-r', String(dpi), '-gray', '-cropbox', '-singlefile'];
  return grey(execFileSync('pdftoppm', [...range, path], { maxBuffer: 1 << 28 }));
}

/** The same by mupdf. */
export function byMupdf(path: string, page = 1, dpi = 72): Pixels {
  const args = ['draw', '-q', '-F', 'pgm', '-r', String(dpi), '-o', '-', path, String(page)];
  return grey(execFileSync('mutool', args, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }));
}

let pdfium: Promise<Pdfium> | undefined;

/** The same by PDFium. */
export async function byPdfium(path: string, page = 1, dpi = 72): Promise<Pixels> {
  const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  pdfium ??= Pdfium.load(readFileSync(wasm));
  const document = (await pdfium).open(sourceOf(path, readFileSync(path)), undefined);
  const size = document.size(page);
  const [width, height] = [size.width, size.height].map((side) => Math.round((side * dpi) / 72)) as [number, number];
  let pixels = new Uint8Array(0);
  const drawing = { page, width, height, colours: 'gray' } as const;
  await document.draw(drawing, [{ top: 0, rows: height }], async (drawn) => {
    pixels = drawn.pixels.slice();
  });
  document.close();
  return { width, height, pixels };
}

/** How many pixels of two pictures differ by more than a quarter of all shades. */
export function apart(one: Pixels, other: Pixels): number {
  return one.pixels.filter((shade, i) => Math.abs(shade - (other.pixels[i] ?? 0)) > 64).length;
}

function grey(pgm: Buffer): Pixels {
  const [head = '', width, height] =
    /^P5\s+(?:#[^\n]*\s+)*(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 200)) ?? [];
  return { width: Number(width), height: Number(height), pixels: pgm.subarray(head.length) };
}

/** How many pixels in a part of the picture (shares of its width and height) are darker than `below`. */
export function dark(
  { width, height, pixels }: Pixels,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  below = 128,
): number {
  let count = 0;
  for (let y = Math.floor(y0 * height); y < Math.floor(y1 * height); y++) {
    for (let x = Math.floor(x0 * width); x < Math.floor(x1 * width); x++) {
      if ((pixels[y * width + x] ?? 255) < below) count += 1;
    }
  }
  return count;
}

/** A document of pages with these entries; every page says "body" in its lower left part. */
export function pagesWith(entries: readonly string[], content = 'BT /F 12 Tf 30 40 Td (body) Tj ET'): string {
  const kids = entries.map((_, i) => `${5 + i} 0 R`).join(' ');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${entries.length}/Kids[${kids}]/Resources<</Font<</F 4 0 R>>>>>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...entries.map((each) => `<</Type/Page/Parent 2 0 R/Contents 3 0 R${each}>>`),
  ]);
}

export function textOf(path: string): string {
  return execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
}

export function bytesIn(path: string): Buffer {
  return readFileSync(path);
}
