// What pdftool speaks, judged by ffprobe, ffmpeg and a recogniser: chapters, pages, tags, loudness, and that it is speech.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, type Folder, folder, pdftool } from '../e2e/pdftool.ts';

let here: Folder;
let env: Record<string, string>;
beforeAll(async () => {
  here = folder();
  env = { ...CLEAN, PDFTOOL_ENGINE: 'local', PDFTOOL_CACHE_DIR: here.at('cache') };
  writeFileSync(here.at('book.pdf'), await book());
});
afterAll(() => here[Symbol.dispose]());

const TITLES = ['Über den Anfang', 'The café', 'Ça va finir'];
const PARAGRAPHS = [
  'The old lighthouse stood on a rocky point above the harbor. Every evening the keeper climbed the stairs and lit the lamp. Ships from many countries saw its light and knew that they were near land. In winter the storms were strong and the waves reached the windows. The keeper was never afraid because the walls were thick. He wrote a long letter to his sister every week. She lived in the city and worked in a small school.',
  'People who read a lot of books often say that they remember the places where they read them. A novel can bring back the smell of a garden or the sound of a train. Children like to hear the same story again and again. They know every word and notice when something is missing. Teachers have learned to use this in the classroom. When a text is read aloud the pupils follow it with a finger. After some weeks they can read it without help.',
  'One day a young man came to the door and asked for help. His boat had been broken by the wind. They repaired it together and became good friends. The method is simple and costs nothing.',
];

/** Three pages of prose with an outline, a title and an author, and a fourth without text. */
async function book(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle('A Lighthouse');
  document.setAuthor('Åsa Keeper');
  const font = await document.embedFont(StandardFonts.Helvetica);
  const pages = [...PARAGRAPHS, ''].map((text, i) => {
    const page = document.addPage([595, 842]);
    page.drawText(wrapped(text), { x: 60, y: 760, size: 12, lineHeight: 16, font });
    page.drawRectangle({ x: 60 + 40 * i, y: 60, width: 100, height: 100 });
    return page;
  });
  const { context } = document;
  const items = TITLES.map(() => context.nextRef());
  const outlines = context.nextRef();
  TITLES.forEach((title, i) => {
    const item = context.obj({ Parent: outlines, Dest: [pages[i]!.ref, 'Fit'] });
    item.set(PDFName.of('Title'), PDFHexString.fromText(title));
    if (items[i + 1] !== undefined) item.set(PDFName.of('Next'), items[i + 1]!);
    if (i > 0) item.set(PDFName.of('Prev'), items[i - 1]!);
    context.assign(items[i]!, item);
  });
  context.assign(
    outlines,
    context.obj({ Type: 'Outlines', First: items[0]!, Last: items.at(-1)!, Count: items.length }),
  );
  document.catalog.set(PDFName.of('Outlines'), outlines);
  return document.save();
}

function wrapped(text: string): string {
  return text.replace(/(.{60,75}) /g, '$1\n');
}

async function run(...args: string[]) {
  const done = await pdftool(args, { cwd: here.path, env });
  expect([done.stderr.includes('error'), done.exitCode]).toEqual([false, 0]);
  return done;
}

interface Probe {
  readonly streams: readonly {
    codec_type: string;
    codec_name: string;
    duration_ts?: number;
    width?: number;
    height?: number;
  }[];
  readonly chapters: readonly { time_base: string; start: number; start_time: string; tags: { title: string } }[];
  readonly format: { readonly duration: string; readonly tags: Readonly<Record<string, string>> };
}

function probe(name: string): Probe {
  const args = ['-v', 'error', '-show_streams', '-show_chapters', '-show_format', '-of', 'json', here.at(name)];
  return JSON.parse(execFileSync('ffprobe', args, { encoding: 'utf8' }));
}

/** What ffmpeg says when it decodes all of a file; what 5.1 says of every file with a cover, its own too, is left out. */
function complaints(name: string): string {
  const { stderr } = decode(name);
  return stderr.replace(/^\[mov.*\] stream 0, timescale not set\n/gm, '');
}

function decode(name: string): { pcm: Buffer; stderr: string } {
  const raw = here.at(`${name}.raw`);
  const errors = here.at('ffmpeg.txt');
  const command = `ffmpeg -v warning -y -i "${here.at(name)}" -map 0:a -f s16le -ac 1 "${raw}" 2> "${errors}"`;
  execFileSync('sh', ['-c', command], { stdio: 'ignore' });
  return { pcm: readFileSync(raw), stderr: readFileSync(errors, 'utf8') };
}

describe('an audiobook', () => {
  let told: {
    seconds: number;
    chapters: { title: string; start: number }[];
    pages: { page: number; start: number; end: number }[];
  };
  const RATE = 16_000;

  it('is an M4B whose chapters begin at the sample, with cover, title and author', async () => {
    told = JSON.parse((await run('audiobook', 'book.pdf', '-o', 'book.m4b', '--subtitles', 'srt', '--json')).stdout);
    const { streams, chapters, format } = probe('book.m4b');
    expect(chapters.map(({ tags }) => tags.title)).toEqual(TITLES);
    expect(chapters.map(({ time_base }) => time_base)).toEqual(Array(3).fill(`1/${RATE}`));
    // Starts are told in milliseconds and stand in the file as samples.
    for (const [i, { start }] of chapters.entries()) {
      expect(Math.abs(start - told.chapters[i]!.start * RATE)).toBeLessThanOrEqual(RATE / 2000);
    }
    expect(format.tags).toMatchObject({ title: 'A Lighthouse', artist: 'Åsa Keeper', genre: 'Audiobook' });
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['aac', 'bin_data', 'mjpeg']);
    expect(complaints('book.m4b')).toBe('');
  });

  it('begins each chapter with its first sound: the decoded silence before it ends there', () => {
    const { pcm } = decode('book.m4b');
    for (const { start } of told.chapters.slice(1)) {
      const at = Math.round(start * RATE);
      const loudest = (from: number, to: number) => {
        let peak = 0;
        for (let i = from; i < to; i++) peak = Math.max(peak, Math.abs(pcm.readInt16LE(2 * i)));
        return peak;
      };
      expect(loudest(at - RATE / 2, at - RATE / 50)).toBeLessThan(200);
      expect(loudest(at, at + RATE / 2)).toBeGreaterThan(1_000);
    }
  });

  it('lasts as long as its samples, within a frame', () => {
    const { streams } = probe('book.m4b');
    expect(Math.abs(streams[0]!.duration_ts! - told.seconds * RATE)).toBeLessThanOrEqual(1024);
    // Decoders give the last frame whole.
    expect(Math.abs(decode('book.m4b').pcm.length / 2 - told.seconds * RATE)).toBeLessThanOrEqual(1024);
  });

  it('tells when each page is spoken, and has subtitles that keep to it', () => {
    expect(told.pages.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(told.pages.at(-1)!.end).toBe(told.seconds);
    const subtitles = readFileSync(here.at('book.srt'), 'utf8');
    const cues = [...subtitles.matchAll(/(\d\d):(\d\d):(\d\d),(\d{3}) -->/g)].map(
      ([, h, m, s, ms]) => Number(h) * 3600 + Number(m) * 60 + Number(s) + Number(ms) / 1000,
    );
    // A sentence of more than two lines is shown in parts.
    const shown = subtitles
      .trim()
      .split(/\n{2,}/)
      .map((cue) => cue.split('\n').slice(2));
    const ends = shown.filter((lines) => lines.at(-1)?.endsWith('.'));
    expect(ends.length).toBe(PARAGRAPHS.join(' ').split('. ').length);
    for (const lines of shown)
      expect([lines.length <= 2, lines.every(({ length }) => length <= 42)]).toEqual([true, true]);
    for (const { start } of told.pages) expect(cues.some((cue) => Math.abs(cue - start) < 0.002)).toBe(true);
  });

  it('is an MP3 of the same length with the same chapters, to the millisecond', async () => {
    const made = JSON.parse((await run('audiobook', 'book.pdf', '-o', 'book.mp3', '--json')).stdout);
    const { chapters, format, streams } = probe('book.mp3');
    expect(made.seconds).toBe(told.seconds);
    expect(chapters.map(({ start_time }) => Number(start_time))).toEqual(
      made.chapters.map(({ start }: { start: number }) => start),
    );
    expect(chapters.map(({ tags }) => tags.title)).toEqual(TITLES);
    expect(format.tags).toMatchObject({ title: 'A Lighthouse', artist: 'Åsa Keeper' });
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['mp3', 'mjpeg']);
    expect(Math.abs(Number(format.duration) - told.seconds)).toBeLessThan(0.1);
    // The length is told in milliseconds.
    expect(Math.abs(decode('book.mp3').pcm.length / 2 - told.seconds * RATE)).toBeLessThanOrEqual(RATE / 2000);
    expect(complaints('book.mp3')).toBe('');
  });

  it.each(['book.m4b', 'book.mp3'])('%s is as loud as books are, and no peak is cut', (name) => {
    const args = [
      '-hide_banner',
      '-nostats',
      '-i',
      here.at(name),
      '-map',
      '0:a',
      '-af',
      'ebur128=peak=true',
      '-f',
      'null',
      '-',
    ];
    const said = execFileSync('sh', ['-c', 'ffmpeg "$@" 2>&1', 'sh', ...args], { encoding: 'utf8' });
    const summary = said.slice(said.lastIndexOf('Summary:'));
    expect(Math.abs(Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]) + 18)).toBeLessThan(1);
    expect(Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1])).toBeLessThanOrEqual(-1);
  });

  it('is the same to the byte the second time, from the cache or without it', async () => {
    await run('audiobook', 'book.pdf', '-o', 'again.m4b', '-q');
    expect(readFileSync(here.at('again.m4b')).equals(readFileSync(here.at('book.m4b')))).toBe(true);
    env = { ...env, PDFTOOL_CACHE_DIR: here.at('other-cache') };
    await run('audiobook', 'book.pdf', '-o', 'fresh.m4b', '-q');
    expect(readFileSync(here.at('fresh.m4b')).equals(readFileSync(here.at('book.m4b')))).toBe(true);
  });
});

describe('a narration', () => {
  it('shows each page exactly while it is spoken, and one without text for the time asked', async () => {
    const done = await run('narrate', 'book.pdf', '-o', 'slides.mp4', '--blank-seconds', '2', '--json');
    const { pages, warnings } = JSON.parse(done.stdout);
    expect(pages.map(({ page }: { page: number }) => page)).toEqual([1, 2, 3, 4]);
    expect(pages[3].end - pages[3].start).toBeCloseTo(2, 3);
    expect(warnings.join()).toMatch(/no text on page 4: shown for 2 s/);
    const { streams } = probe('slides.mp4');
    expect(streams.find(({ codec_type }) => codec_type === 'video')).toMatchObject({
      codec_name: 'h264',
      width: 1920,
      height: 1080,
    });
    const args = [
      '-v',
      'error',
      '-select_streams',
      'v:0',
      '-show_entries',
      'packet=pts_time,duration_time',
      '-of',
      'csv=p=0',
    ];
    const packets = execFileSync('ffprobe', [...args, here.at('slides.mp4')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const times = packets.map((line) => line.split(',').map(Number));
    expect(times.length).toBe(4);
    for (const [i, [start, duration]] of times.entries()) {
      expect(Math.abs(start! - pages[i].start)).toBeLessThan(0.001);
      expect(Math.abs(start! + duration! - pages[i].end)).toBeLessThan(0.001);
    }
    expect(complaints('slides.mp4')).toBe('');
  });

  it('shows what the page looks like', () => {
    const frame = (index: number) => {
      const filter = `select=eq(n\\,${index}),scale=480:270,format=gray`;
      return execFileSync(
        'ffmpeg',
        ['-v', 'error', '-i', here.at('slides.mp4'), '-vf', filter, '-frames:v', '1', '-f', 'rawvideo', '-'],
        {
          maxBuffer: 1e7,
        },
      );
    };
    const dark = (pixels: Buffer, x0: number, x1: number) => {
      let count = 0;
      for (let y = 20; y < 120; y++) for (let x = x0; x < x1; x++) if (pixels[y * 480 + x]! < 128) count++;
      return count;
    };
    const [first, empty] = [frame(0), frame(3)];
    // Black beside the page, text on the first page, none on the last.
    expect(dark(first, 0, 100)).toBe(100 * 100);
    expect(dark(first, 160, 320)).toBeGreaterThan(50);
    expect(dark(empty, 160, 320)).toBe(0);
  });
});

describe('what is heard', () => {
  it.each([0, 1])('of paragraph %i is understood by a recogniser, no sentence missing', async (index) => {
    const range = String(index + 1);
    await run('audiobook', 'book.pdf', '--page-range', range, '-o', `heard-${range}.mp3`, '-q');
    const wav = here.at(`heard-${range}.wav`);
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-i',
      here.at(`heard-${range}.mp3`),
      '-map',
      '0:a',
      '-ar',
      '16000',
      '-ac',
      '1',
      wav,
    ]);
    const heard = execFileSync('pocketsphinx_continuous', ['-infile', wav, '-logfn', '/dev/null'], {
      encoding: 'utf8',
    });
    const [meant, understood] = [words(PARAGRAPHS[index]!), words(heard)];
    expect(distance(meant, understood) / meant.length).toBeLessThanOrEqual(0.15);
    const known = new Set(understood);
    for (const sentence of PARAGRAPHS[index]!.split('. ')) {
      const all = words(sentence);
      expect(all.filter((word) => known.has(word)).length / all.length).toBeGreaterThan(0.5);
    }
  });

  it('is said faster where that is asked for, and the file says so', async () => {
    const length = async (...args: string[]) =>
      JSON.parse((await run('audiobook', 'book.pdf', '--page-range', '3', '--json', ...args)).stdout).seconds;
    const [normal, fast] = [await length('-o', 'n.mp3'), await length('-o', 'f.mp3', '--speed', '1.5')];
    expect(normal / fast).toBeGreaterThan(1.25);
    expect(normal / fast).toBeLessThan(1.6);
  });

  it('changes with pronunciation fixes and voices', async () => {
    const bytes = async (name: string, ...args: string[]) => {
      await run('audiobook', 'book.pdf', '--page-range', '3', '-o', name, '-q', ...args);
      return readFileSync(here.at(name));
    };
    writeFileSync(here.at('fixes.txt'), 'boat==ship\nwind=/W AY1 N D/\n');
    const plain = await bytes('plain.mp3');
    const fixed = await bytes('fixed.mp3', '--pronunciation-fixes', '@fixes.txt');
    const other = await bytes('other.mp3', '--voice-id', 'slt');
    expect(fixed.equals(plain)).toBe(false);
    expect(other.equals(plain)).toBe(false);
  });
});

function words(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}

/** Words that were put in, left out or changed. */
function distance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, j) => j + 1);
  let [above, corner] = [0, 0];
  for (const [i, word] of a.entries()) {
    corner = i;
    above = i + 1;
    row = b.map((other, j) => {
      const best = Math.min(row[j]! + 1, above + 1, corner + (word === other ? 0 : 1));
      corner = row[j]!;
      above = best;
      return best;
    });
  }
  return row.at(-1) ?? a.length;
}
