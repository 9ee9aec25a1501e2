#!/usr/bin/env node
// Pages as pictures beside pdftoppm and mutool, in one run: processor time, memory of all processes, likeness.
//   node test/bench/to-images.mjs time FILE.pdf [RUNS]      50 pages at 150 dpi
//   node test/bench/to-images.mjs like FOLDER [PAGES [KEEP]]  the first pages of each PDF at 150 dpi; what is unlike is
//                                                           kept in a folder to look at: ours, pdftoppm's and mutool's
//   node test/bench/to-images.mjs memory FOLDER             the most that all processes held together, by document
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import sharp from 'sharp';
import { interleave, median } from './measure.mjs';
import { likeness } from './pages-alike.mjs';

const PROGRAM = join(import.meta.dirname, '../../bin/pdftool.js');
const [what, given, count, keep] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'bench-pictures-'));
try {
  if (what === 'time') time(resolve(given), Number(count ?? 5));
  else if (what === 'like') await like(resolve(given), Number(count ?? 2));
  else if (what === 'memory') await memory(resolve(given));
  else say('to-images.mjs time|like|memory FILE');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function time(file, runs) {
  const draw = (format) => (out) => [
    process.execPath,
    PROGRAM,
    'to-images',
    file,
    '--pages',
    '1-50',
    '--format',
    format,
    '-o',
    `${out}/pictures`,
    '-q',
  ];
  const range = ['-f', '1', '-l', '50', '-r', '150'];
  const results = interleave(
    {
      pdftool: draw('png'),
      'pdftool jpeg': draw('jpeg'),
      pdftoppm: (out) => ['pdftoppm', '-png', ...range, file, `${out}/page`],
      'pdftoppm jpeg': (out) => ['pdftoppm', '-jpeg', ...range, file, `${out}/page`],
      mutool: (out) => ['mutool', 'draw', '-q', '-r', '150', '-o', `${out}/page-%d.png`, file, '1-50'],
    },
    { runs, folder },
  );
  const ratios = (one, other) => median(results[one].cpu.map((cpu, i) => cpu / results[other].cpu[i])).toFixed(2);
  for (const [name, { cpu, size }] of Object.entries(results)) {
    say(`${name.padEnd(14)} ${(median(cpu) / 1000).toFixed(2)} s of processor time, ${(size / 1e6).toFixed(1)} MB`);
  }
  say(`png: ${ratios('pdftool', 'pdftoppm')} of pdftoppm's time, ${ratios('pdftool', 'mutool')} of mutool's`);
  say(`jpeg: ${ratios('pdftool jpeg', 'pdftoppm jpeg')} of pdftoppm's time`);
}

/** Grey pixels of a PGM, or of a picture. */
async function pixelsOf(path) {
  if (!path.endsWith('.pgm')) {
    const { data, info } = await sharp(path, { limitInputPixels: false })
      .toColourspace('b-w')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  }
  const bytes = readFileSync(path);
  const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 40));
  return { width: Number(width), height: Number(height), pixels: bytes.subarray(bytes.length - width * height) };
}

async function like(from, pages) {
  const scores = { pdftoppm: [], mutool: [], 'pdftoppm-mutool': [] };
  for (const name of readdirSync(from).filter((each) => each.endsWith('.pdf'))) {
    const file = join(from, name);
    for (let page = 1; page <= pages; page += 1) {
      const out = mkdtempSync(join(folder, 'page-'));
      const at = (each) => join(out, each);
      spawnSync(process.execPath, [
        PROGRAM,
        'to-images',
        file,
        '--pages',
        String(page),
        '--grayscale',
        '-q',
        '-o',
        at('a.png'),
      ]);
      spawnSync(
        'pdftoppm',
        ['-gray', '-r', '150', '-cropbox', '-f', page, '-l', page, '-singlefile', file, at('b')].map(String),
      );
      spawnSync('mutool', ['draw', '-q', '-r', '150', '-c', 'gray', '-o', at('c.pgm'), file, String(page)]);
      try {
        const [ours, poppler, mupdf] = await Promise.all(
          [at('a.png'), at('b.pgm'), at('c.pgm')].map((path) => pixelsOf(path).catch(() => undefined)),
        );
        if (ours === undefined) continue;
        const to = (one, other) => (one && other ? score(one, other) : Number.NaN);
        const [b, c, d] = [to(ours, poppler), to(ours, mupdf), to(poppler, mupdf)];
        if (!Number.isNaN(b)) scores.pdftoppm.push(b);
        if (!Number.isNaN(c)) scores.mutool.push(c);
        if (!Number.isNaN(d)) scores['pdftoppm-mutool'].push(d);
        if (!(b >= 0.98) || !(c >= 0.98)) {
          if (keep !== undefined)
            await beside([ours, poppler, mupdf], join(keep, `${basename(name, '.pdf')}-${page}.png`));
          say(`${b.toFixed(3)} ${c.toFixed(3)} (they: ${d.toFixed(3)}) ${basename(file)} page ${page}`);
        }
      } finally {
        rmSync(out, { recursive: true, force: true });
      }
    }
  }
  for (const [peer, all] of Object.entries(scores)) {
    const near = all.filter((value) => value >= 0.98).length;
    say(`${peer}: ${all.length} pages, median ${median(all).toFixed(4)}, ${near} at 0.98 or more`);
  }
}

/** Three pictures in a row, in one file. */
async function beside(pictures, to) {
  const shown = pictures.filter((each) => each !== undefined);
  const height = Math.max(...shown.map((each) => each.height));
  const width = shown.reduce((sum, each) => sum + each.width + 10, 0);
  let left = 0;
  const layers = shown.map(({ pixels, ...raw }) => {
    const layer = { input: Buffer.from(pixels), raw: { ...raw, channels: 1 }, left, top: 0 };
    left += raw.width + 10;
    return layer;
  });
  mkdirSync(keep, { recursive: true });
  await sharp({ create: { width, height, channels: 3, background: 'orange' } })
    .composite(layers)
    .toFile(to);
}

/** Of the part that both have: sizes may differ by a pixel that is left over. */
function score(a, b) {
  if (Math.abs(a.width - b.width) > 2 || Math.abs(a.height - b.height) > 2) return 0;
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  const cut = (one) => {
    const pixels = Buffer.alloc(width * height);
    for (let y = 0; y < height; y += 1)
      pixels.set(one.pixels.subarray(y * one.width, y * one.width + width), y * width);
    return { width, height, pixels };
  };
  return likeness([cut(a)], [cut(b)])[0];
}

async function memory(from) {
  let most = 0;
  for (const name of readdirSync(from).filter((each) => each.endsWith('.pdf'))) {
    const held = await peak(['to-images', join(from, name), '-q', '-o', join(mkdtempSync(join(folder, 'm-')), 'out')]);
    if (held > most) say(`${(held / 1e6).toFixed(0)} MB ${name}`);
    most = Math.max(most, held);
  }
}

/** The most resident memory of a run and all its children together, looked at every 20 ms. */
function peak(args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: 'ignore' });
    let most = 0;
    const timer = setInterval(() => {
      const all = spawnSync('ps', ['-eo', 'pid,ppid,rss'], { encoding: 'utf8' }).stdout.trim().split('\n').slice(1);
      const rows = all.map((line) => line.trim().split(/\s+/).map(Number));
      const ours = new Set([child.pid]);
      for (let grown = true; grown; ) {
        grown = false;
        for (const [pid, parent] of rows) if (ours.has(parent) && !ours.has(pid)) grown = ours.add(pid) !== undefined;
      }
      most = Math.max(
        most,
        rows.reduce((sum, [pid, , rss]) => sum + (ours.has(pid) ? rss * 1024 : 0), 0),
      );
    }, 20);
    child.once('exit', () => {
      clearInterval(timer);
      done(most);
    });
  });
}
