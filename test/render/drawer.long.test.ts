// Pages drawn in processes of their own: the pixels are those of poppler, and what a page does to its process stays there.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { similarity } from '../../src/pdf/shrink/layers/ssim.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { Kept } from '../../src/runtime/processes/page-drawer.ts';
import { pdfOf } from '../structure/run.ts';
import { Workbench } from './workbench.ts';

const folder = mkdtempSync(join(tmpdir(), 'render-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixture = (name: string) => resolve(import.meta.dirname, `../fixtures/${name}.pdf`);

function keep(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content, 'latin1');
  return path;
}

/** Grey pixels by pdftoppm. */
function byPoppler(path: string, page: number, width: number, height: number): Uint8Array {
  const args = ['-f', String(page), '-l', String(page), '-gray', '-r', '144', path];
  const pgm = execFileSync('pdftoppm', args, { maxBuffer: 1 << 28 });
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(pgm.toString('latin1', 0, 64));
  expect(head?.slice(1)).toEqual([String(width), String(height)]);
  return pgm.subarray(head![0].length);
}

describe('a drawn page', () => {
  it.each([
    ['guide', 2],
    ['lorem-ipsum', 1],
    ['rotated-mixed', 2],
    ['rotated-270', 1],
    ['linearized', 1],
  ])('looks as poppler draws it: %s, page %i', async (name, page) => {
    using bench = new Workbench();
    const drawer = await bench.open(fixture(name));
    const size = await drawer.size(page);
    const [width, height] = [Math.ceil(size.width * 2), Math.ceil(size.height * 2)];
    const drawn = await drawer.draw({ page, width, height, scale: 2, colours: 'gray' });
    expect(drawn).toMatchObject({ width, height, channels: 1 });
    expect(drawn.pixels.length).toBe(width * height);
    const theirs = byPoppler(fixture(name), page, width, height);
    expect(similarity(drawn.pixels, theirs, width, height, 1)).toBeGreaterThan(0.95);
  });

  it('has its colours in the order that is asked for', async () => {
    const content = '1 0 0 rg 0 0 50 100 re f 0 0 1 rg 50 50 50 50 re f';
    const path = keep(
      'colours.pdf',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>>',
        '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ]),
    );
    using bench = new Workbench();
    const drawer = await bench.open(path);
    const at = async (colours: 'gray' | 'rgb' | 'rgba') => {
      const { pixels, channels } = await drawer.draw({ page: 1, width: 4, height: 4, colours });
      return [0, 3, 15].map((place) => [...pixels.subarray(place * channels, (place + 1) * channels)]);
    };
    expect(await at('rgb')).toEqual([
      [255, 0, 0],
      [0, 0, 255],
      [255, 255, 255],
    ]);
    expect(await at('rgba')).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [0, 0, 0, 0],
    ]);
    const [red, blue, white] = (await at('gray')).flat();
    expect(red).toBeGreaterThan(blue!);
    expect(white).toBe(255);
  });

  it('has its form fields, even where the form itself was lost', async () => {
    const draws = '0 0 40 40 re f';
    const fields = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>>',
      '<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[30 30 70 70]/AP<</N 5 0 R>>>>',
      `<</Type/XObject/Subtype/Form/BBox[0 0 40 40]/Length ${draws.length}>>stream\n${draws}\nendstream`,
    ]);
    using bench = new Workbench();
    const drawer = await bench.open(keep('fields.pdf', fields));
    const { pixels } = await drawer.draw({ page: 1, width: 100, height: 100, colours: 'gray' });
    expect([pixels[50 * 100 + 50], pixels[10 * 100 + 10]]).toEqual([0, 255]);
  });

  it('has letters between pixels in shades of grey as in colours', async () => {
    using bench = new Workbench();
    const drawer = await bench.open(fixture('guide'));
    const drawing = { page: 5, width: 1275, height: 1650, scale: 150 / 72 } as const;
    const [gray, rgb] = [
      await drawer.draw({ ...drawing, colours: 'gray' }),
      await drawer.draw({ ...drawing, colours: 'rgb' }),
    ];
    const far = gray.pixels.reduce((sum, value, i) => sum + (Math.abs(value - luma(rgb.pixels, 3 * i)) > 2 ? 1 : 0), 0);
    expect(far).toBe(0);
  });

  it('is a PNG of the same pixels, in one band or in many', async () => {
    using bench = new Workbench();
    const drawer = await bench.open(fixture('guide'));
    for (const [width, height] of [
      [900, 1200],
      [6000, 8000],
    ] as const) {
      const drawing = { page: 3, width, height, colours: 'rgb' } as const;
      const { pixels } = await drawer.draw(drawing);
      const picture = await drawer.picture(drawing, { type: 'png', quality: 85, dpi: 110 });
      const image = sharp(picture, { limitInputPixels: false });
      expect(await image.metadata()).toMatchObject({ format: 'png', width, height, density: 110 });
      const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
      // A page without colours is stored as shades of grey.
      const step = 3 / info.channels;
      const others = data.reduce((sum, value, i) => sum + (value === pixels[i * step] ? 0 : 1), 0);
      // Where a band ends within a curve, its edge may be another shade.
      expect(others / data.length).toBeLessThan(width < 1000 ? Number.MIN_VALUE : 1e-4);
    }
  });
});

describe('the process that draws', () => {
  it('is given the password of the file', async () => {
    const locked = join(folder, 'locked.pdf');
    execFileSync('qpdf', ['--encrypt', 'geheim', 'owner', '256', '--', fixture('lorem-ipsum'), locked]);
    using bench = new Workbench();
    const drawer = await bench.open(locked, 'geheim');
    expect(drawer.pageCount).toBe(4);
    expect(bench.details).toEqual([]);
  });

  it('gets a sound copy of a damaged file', async () => {
    const bytes = readFileSync(fixture('lorem-ipsum')).toString('latin1');
    using bench = new Workbench();
    const drawer = await bench.open(keep('lost.pdf', bytes.replace(/startxref\s+\d+/, 'startxref\n7')));
    expect(drawer.pageCount).toBe(4);
    const { pixels } = await drawer.draw({ page: 4, width: 100, height: 140, colours: 'gray' });
    expect(Math.min(...pixels)).toBeLessThan(200);
  });

  it('is replaced when it is killed, and the page drawn by the next', async () => {
    using bench = new Workbench();
    const drawer = await bench.open(fixture('guide'));
    const drawing = { page: 1, width: 3000, height: 4000, colours: 'rgb' } as const;
    const drawn = drawer.draw(drawing);
    const [pid] = children();
    expect(pid).toBeDefined();
    process.kill(pid!, 'SIGKILL');
    expect((await drawn).pixels.length).toBe(36_000_000);
    expect(children()).not.toContain(pid);
  });

  it('that breaks twice over a page fails that page and no other', async () => {
    // Stands for a trap: it ends when it is asked for page 2.
    const program = keep(
      'breaks.mjs',
      `process.on('message', (m) => {
        if (m.ask === 'open') return process.send({ value: { pages: 3 }, bytes: 0 });
        if (m.drawing.page === 2) process.exit(134);
        setTimeout(() => { process.send({ value: { page: m.drawing.page }, bytes: 3 }); process.stdout.write('abc'); }, 20);
      });`,
    );
    using bench = new Workbench([process.execPath, program]);
    const pages = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 99 99]>>',
      ...Array.from({ length: 3 }, () => '<</Type/Page/Parent 2 0 R>>'),
    ]);
    const drawer = await bench.open(keep('three.pdf', pages));
    const results = await Promise.allSettled(
      [1, 2, 3].map((page) => drawer.draw({ page, width: 1, height: 1, colours: 'rgb' })),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(String((results[1] as PromiseRejectedResult).reason)).toContain('three.pdf: page 2 cannot be drawn');
  });

  it('is gone after an abort, whatever it draws', async () => {
    using bench = new Workbench();
    const drawer = await bench.open(fixture('guide'));
    const drawn = drawer.draw({ page: 1, width: 7000, height: 9000, colours: 'rgb' });
    const before = children();
    bench.abort.abort(new Error('enough'));
    await expect(drawn).rejects.toThrow('enough');
    await expect.poll(() => before.filter((pid) => children().includes(pid))).toEqual([]);
  });

  describe.runIf(process.platform === 'linux')('that is kept', () => {
    const still = (page: number) => ({ page, width: 100, height: 140, colours: 'gray' }) as const;

    it('draws the next document as a process of its own would, has let go of the one before, and ends after a while', async () => {
      let isOver = () => {};
      const sleep = (_: number, signal: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          isOver = resolve;
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      const before = children();
      const own = () => children().filter((pid) => !before.includes(pid));
      using bench = new Workbench(undefined, new Kept({ ...systemClock, sleep }));
      using alone = new Workbench();
      const pids: (number | undefined)[] = [];
      for (const name of ['guide', 'lorem-ipsum', 'linearized', 'guide']) {
        const drawer = await bench.open(fixture(name));
        pids.push(...own());
        const { pixels } = await drawer.draw(still(1));
        drawer.close();
        const other = await alone.open(fixture(name));
        expect(Buffer.from(pixels).equals((await other.draw(still(1))).pixels), name).toBe(true);
        other.close();
        await expect.poll(own).toHaveLength(1);
        await expect.poll(() => filesOf(pids[0]!).filter((file) => file.endsWith('.pdf'))).toEqual([]);
      }
      expect(new Set(pids)).toEqual(new Set(own()));
      isOver();
      await expect.poll(own).toEqual([]);
    });

    it('is one at most, and none that breaks or is still at work', async () => {
      const before = children();
      const own = () => children().filter((pid) => !before.includes(pid));
      using bench = new Workbench(undefined, new Kept(systemClock));
      const [one, other] = [await bench.open(fixture('guide')), await bench.open(fixture('lorem-ipsum'))];
      expect(own()).toHaveLength(2);
      one.close();
      other.close();
      await expect.poll(own).toHaveLength(1);
      const [pid] = own();
      const drawer = await bench.open(fixture('guide'));
      expect(own()).toEqual([pid]);
      const drawing = { page: 1, width: 7000, height: 9000, colours: 'rgb' } as const;
      const drawn = drawer.draw(drawing).catch(String);
      await new Promise((resolve) => setTimeout(resolve, 50));
      drawer.close();
      expect(await drawn).toContain('was ended');
      await expect.poll(own).toEqual([]);
      const next = await bench.open(fixture('guide'));
      // What is asked of a closed drawer reaches no document.
      expect(await drawer.size(1).catch(String)).toContain('was ended');
      expect((await next.draw(still(1))).pixels.length).toBe(14_000);
    });
  });

  it('refuses a page of too many pixels, with the limit', async () => {
    using bench = new Workbench();
    const drawer = await bench.open(fixture('guide'));
    const drawing = { page: 1, width: 240_000, height: 240_000, colours: 'rgb' } as const;
    await expect(drawer.draw(drawing)).rejects.toThrow(/guide\.pdf: page 1 would be 240000 x 240000 pixels.*65500/);
    const poster = { ...drawing, width: 20_000, height: 20_000 };
    await expect(drawer.picture(poster, { type: 'png', quality: 85, dpi: 72 })).rejects.toThrow(/at most 256 million/);
    for (const [type, most] of [
      ['jpeg', 30],
      ['webp', 20],
    ] as const) {
      const large = drawer.picture({ ...drawing, width: 6_000, height: 6_000 }, { type, quality: 85, dpi: 72 });
      await expect(large).rejects.toThrow(`at most ${most} million`);
    }
  });
});

function luma(pixels: Uint8Array, at: number): number {
  return 0.299 * pixels[at]! + 0.587 * pixels[at + 1]! + 0.114 * pixels[at + 2]!;
}

/** What the descriptors of a process are. */
function filesOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return '';
    }
  });
}

/** Processes that draw for this one. */
function children(): number[] {
  const all = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n');
  return all
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.includes('__draw'))
    .map(([pid]) => Number(pid));
}
