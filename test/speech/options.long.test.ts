// Every option of audiobook and narrate changes what is heard or seen, as it says.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, type Folder, folder, pdftool } from '../e2e/pdftool.ts';

let here: Folder;
let env: Record<string, string>;
beforeAll(async () => {
  here = folder();
  env = { ...CLEAN, PDFTOOL_ENGINE: 'local', PDFTOOL_CACHE_DIR: here.at('cache') };
  const document = await PDFDocument.create();
  const [plain, bold] = [StandardFonts.Helvetica, StandardFonts.HelveticaBold].map((font) => document.embedFont(font));
  for (const title of ['First things', 'Second things', 'Third things']) {
    const page = document.addPage([595, 842]);
    page.drawText(title, { x: 60, y: 740, size: 24, font: await bold! });
    const text = 'The keeper lit the lamp. Ships saw its light; they knew the land & turned < away.';
    page.drawText(text.replace(/; /, ';\n'), { x: 60, y: 690, size: 12, lineHeight: 16, font: await plain! });
  }
  writeFileSync(here.at('book.pdf'), await document.save());
});
afterAll(() => here[Symbol.dispose]());

interface Told {
  readonly seconds: number;
  readonly sentences: number;
  readonly voice: string;
  readonly chapters: readonly { title: string; start: number }[];
  readonly pages: readonly { page: number; start: number; end: number }[];
  readonly warnings?: readonly string[];
}

/** kal16 is the fastest voice: what is tried here is not how it sounds. */
async function made(...args: string[]): Promise<Told> {
  const run = await pdftool([...args, '--voice-id', 'kal16', '--json', '-f'], { cwd: here.path, env });
  expect([run.exitCode, run.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  return JSON.parse(run.stdout);
}

function chapters(name: string): number {
  const args = ['-v', 'error', '-show_chapters', '-of', 'csv=p=0', here.at(name)];
  return execFileSync('ffprobe', args, { encoding: 'utf8' }).trim().split('\n').filter(Boolean).length;
}

describe('preserve_chapters', () => {
  it.each(['m4b', 'mp3'])('keeps the chapters of an %s, or leaves them out', async (format) => {
    const kept = await made('audiobook', 'book.pdf', '-o', `kept.${format}`);
    expect(kept.chapters.map(({ title }) => title)).toEqual(['First things', 'Second things', 'Third things']);
    expect(chapters(`kept.${format}`)).toBe(3);
    const none = await made('audiobook', 'book.pdf', '-o', `none.${format}`, '--no-preserve-chapters');
    expect([none.chapters, chapters(`none.${format}`)]).toEqual([[], 0]);
    expect(none.seconds).toBeLessThan(kept.seconds);
  });
});

describe('normalize_pauses', () => {
  it('makes pauses even and longer; without it they are those of running text', async () => {
    const even = await made('audiobook', 'book.pdf', '-o', 'even.mp3');
    const plain = await made('audiobook', 'book.pdf', '-o', 'plain.mp3', '--no-normalize-pauses');
    expect(plain.sentences).toBe(even.sentences);
    // Three headings, two ends of a chapter, four sentences, one last paragraph: 200, 300, 50 and 150 ms each.
    expect(even.seconds - plain.seconds).toBeGreaterThan(1);
    expect(even.seconds - plain.seconds).toBeLessThan(3);
  });
});

describe('subtitles', () => {
  const cues = (text: string) => [...text.matchAll(/(\d\d:\d\d:\d\d)[.,](\d{3}) --> (\d\d:\d\d:\d\d)[.,](\d{3})/g)];

  it.each(['srt', 'vtt'])('are %s that ffmpeg reads, a cue a sentence', async (format) => {
    const { sentences } = await made('audiobook', 'book.pdf', '-o', 'said.mp3', '--subtitles', format);
    const text = readFileSync(here.at(`said.${format}`), 'utf8');
    expect(cues(text).length).toBe(sentences);
    const run = spawnSync('ffmpeg', ['-v', 'warning', '-i', here.at(`said.${format}`), '-f', 'srt', '-'], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    // The same times, and the same words whatever signs of the format stand for them.
    expect(cues(run.stdout).map(([times]) => times)).toEqual(cues(text).map(([times]) => times.replaceAll('.', ',')));
    expect(run.stdout.replace(/\s+/g, ' ')).toContain('they knew the land & turned < away.');
  });
});

describe('what has no cover', () => {
  it.each([
    ['audiobook', 'book.pdf', 'film.mp4'],
    ['voice-preview', 'The keeper lit the lamp.', 'said.mp3'],
    ['voice-preview', 'The keeper lit the lamp.', 'said.wav'],
  ])('%s %s is decoded as %s without a word from ffmpeg', async (command, what, name) => {
    await made(command, what, '-o', name);
    const run = spawnSync('ffmpeg', ['-v', 'warning', '-i', here.at(name), '-f', 'null', '-'], { encoding: 'utf8' });
    // A plain WAV file has no place to say which channel one channel is.
    const said = run.stderr.replace('Guessed Channel Layout for Input Stream #0.0 : mono\n', '');
    expect([run.status, said]).toEqual([0, '']);
  });
});

describe('a page range', () => {
  it('speaks those pages in the order of the book, each once', async () => {
    const { pages } = await made('audiobook', 'book.pdf', '-o', 'range.mp3', '--page-range', '3,1,3');
    expect(pages.map(({ page }) => page)).toEqual([1, 3]);
  });
});

describe('narrate', () => {
  it('shows a page at the very millisecond of its first word, and to its last', async () => {
    const { pages } = await made('narrate', 'book.pdf', '-o', 'slides.mp4');
    const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,duration_time'];
    const packets = execFileSync('ffprobe', [...args, '-of', 'csv=p=0', here.at('slides.mp4')], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.split(',').map(Number) as [number, number]);
    expect(packets.length).toBe(3);
    for (const [i, [start, duration]] of packets.entries()) {
      expect(Math.abs(start - pages[i]!.start)).toBeLessThan(0.001);
      expect(Math.abs(start + duration - pages[i]!.end)).toBeLessThan(0.001);
    }
  });
});

describe('--ocr', () => {
  const hasTesseract = spawnSync('tesseract', ['--version']).status === 0;

  it.skipIf(!hasTesseract)('speaks what is recognised on pages without text (skipped without tesseract)', async () => {
    execFileSync('pdftoppm', ['-r', '200', '-gray', '-png', '-singlefile', here.at('book.pdf'), here.at('scan')]);
    const run = (...args: string[]) => pdftool(args, { cwd: here.path, env });
    expect((await run('images-to-pdf', 'scan.png', '-o', 'scan.pdf')).exitCode).toBe(0);
    expect((await run('merge', 'book.pdf', 'scan.pdf', '-o', 'mixed.pdf')).exitCode).toBe(0);
    const without = await made('audiobook', 'mixed.pdf', '-o', 'mixed.mp3');
    expect(without.pages.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(without.warnings?.join()).toMatch(/no text on page 4: nothing is said for it/);
    const heard = await made('audiobook', 'mixed.pdf', '-o', 'mixed.mp3', '--ocr', '--subtitles', 'srt');
    expect(heard.pages.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
    expect(heard.warnings?.join()).toMatch(/the words of page 4 were recognised in pictures/);
    expect(readFileSync(here.at('mixed.srt'), 'utf8').match(/The keeper lit the lamp/g)).toHaveLength(4);
    // Pages that are not spoken are not read either.
    const range = await made('audiobook', 'mixed.pdf', '-o', 'range.mp3', '--ocr', '--page-range', '1');
    expect(range.warnings ?? []).toEqual([]);
    const slides = await made('narrate', 'mixed.pdf', '-o', 'mixed.mp4', '--ocr', '--page-range', '4');
    expect(slides.pages[0]!.end).toBeGreaterThan(3);
  });
});
