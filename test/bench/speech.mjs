#!/usr/bin/env node
// What speech costs: a book of 18,000 characters in each format, and a preview, with an empty cache. Bars: a book takes at
// most 120 s and 400 MB, a preview at most 4 s; of processor time, so that they hold on a busy machine too.
//   node test/bench/speech.mjs [BOOK.pdf PAGES]    with another book than the one of this folder's making
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { interleave } from './measure.mjs';

const PROGRAM = join(import.meta.dirname, '../../bin/pdftool.js');
const CHARACTERS = 18_000;
const PAGES = 20;
const BARS = { seconds: 120, bytes: 400 * 1024 ** 2, preview: 4 };

const folder = mkdtempSync(join(tmpdir(), 'bench-speech-'));
try {
  const [given, pages = `1-${PAGES}`] = process.argv.slice(2);
  const book = given === undefined ? join(folder, 'book.pdf') : resolve(given);
  if (given === undefined) writeFileSync(book, await prose());
  const line = (out, ...args) => ['env', `PDFTOOL_CACHE_DIR=${out}-cache`, process.execPath, PROGRAM, ...args];
  const spoken = (format) => (out) =>
    line(out, 'audiobook', book, '--page-range', pages, '--local', '-q', '-o', out, '--output-format', format);
  const text = 'The keeper climbed the stairs and lit the lamp. '.repeat(13).slice(0, 600);
  const commands = {
    mp3: spoken('mp3'),
    m4b: spoken('m4b'),
    mp4: spoken('mp4'),
    preview: (out) => line(out, 'voice-preview', text, '--local', '-q', '-o', out),
  };
  for (const [name, command] of Object.entries(commands)) {
    const { [name]: done } = interleave({ [name]: command }, { runs: 1, folder, asItIs: true });
    const [seconds, cpu, bytes] = [done.ms[0] / 1000, done.cpu[0] / 1000, done.bytes[0]];
    const kept = cpu <= (name === 'preview' ? BARS.preview : BARS.seconds) && bytes <= BARS.bytes;
    const facts = `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time, ${(bytes / 1024 ** 2).toFixed(0)} MB`;
    process.stdout.write(`${name.padEnd(8)} ${facts}  ${kept ? 'ok' : 'TOO MUCH'}\n`);
    if (!kept) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Sentences of plain words, in an order of a fixed seed. */
async function prose() {
  const words = 'the old keeper lit a lamp every evening and ships from many countries saw its light'.split(' ');
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  let seed = 7;
  const next = (most) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  for (let page = 0; page < PAGES; page += 1) {
    const lines = [];
    for (let length = 0; length < CHARACTERS / PAGES - 60; length += lines.at(-1).length + 1) {
      const sentence = Array.from({ length: 8 + next(6) }, () => words[next(words.length)]).join(' ');
      lines.push(`${sentence[0].toUpperCase()}${sentence.slice(1)}.`);
    }
    document.addPage([595, 842]).drawText(lines.join('\n'), { x: 60, y: 780, size: 11, lineHeight: 15, font });
  }
  return document.save();
}
