// A book of 300 pages takes the memory of one of 150.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { expect, it } from 'vitest';
import { CLEAN, folder, PROGRAM } from '../e2e/pdftool.ts';

const MB = 1024 ** 2;
const GROWTH = 60 * MB;
const MOST = 400 * MB;

const WORDS = 'keeper lamp harbor winter letter window garden story finger sister engine paper'.split(' ');

async function book(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 1; page <= pages; page++) {
    // Of other words on each page: what comes again at its edge is taken for a running head.
    const lines = Array.from({ length: 5 }, (_, i) => {
      const at = page * 5 + i;
      const [first, second, third] = [at, at / 12, at / 144].map((n) => WORDS[Math.floor(n) % WORDS.length]);
      return `The ${first} and the ${second} saw the ${third} on that long evening.`;
    });
    document.addPage([595, 842]).drawText(lines.join('\n'), { x: 60, y: 780, size: 11, lineHeight: 15, font });
  }
  return document.save();
}

/** The most that a run held at any time, as Linux counts it. */
async function peak(args: readonly string[], cwd: string): Promise<number> {
  const env = { ...CLEAN, PDFTOOL_ENGINE: 'local', PDFTOOL_CACHE_DIR: `${cwd}/cache` };
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: 'ignore' });
  const status = `/proc/${child.pid}/status`;
  let kilobytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    kilobytes = Math.max(kilobytes, held(status));
    await sleep(50);
  }
  expect(child.exitCode).toBe(0);
  return kilobytes * 1024;
}

function held(status: string): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0);
  } catch {
    // It has just ended.
    return 0;
  }
}

it.skipIf(process.platform !== 'linux')('does not grow with pages', { timeout: 590_000 }, async () => {
  using here = folder();
  const most: number[] = [];
  // In a shorter run not everything has been in use at the same time that ever is.
  for (const pages of [150, 300]) {
    writeFileSync(here.at('book.pdf'), await book(pages));
    const line = ['audiobook', 'book.pdf', '--voice-id', 'kal16', '--speed', '3', '-o', `${pages}.m4b`, '-q'];
    most.push(await peak(line, here.path));
  }
  const [short, long] = most as [number, number];
  expect(long).toBeLessThan(MOST);
  expect(long - short).toBeLessThan(GROWTH);
});
