// kill -9 at twenty moments, the same command after each: no sentence that was finished is said again, and the output is the
// one of a run that nothing disturbed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { expect, it } from 'vitest';
import { CLEAN, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';

const KILLS = 20;
const SENTENCES = 300;

async function book(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const words = 'keeper lamp harbor winter letter window garden story finger sister engine paper'.split(' ');
  const word = (i: number) => words[i % words.length];
  for (let page = 0; page < SENTENCES / 10; page++) {
    const lines = Array.from({ length: 10 }, (_, line) => {
      const i = page * 10 + line;
      return `The ${word(i)} and the ${word(Math.floor(i / 12))} were ${i} steps from the ${word(i * 5)} on that long evening.`;
    });
    document.addPage([595, 842]).drawText(lines.join('\n'), { x: 60, y: 760, size: 11, lineHeight: 15, font });
  }
  return document.save();
}

/** Each sentence that is kept, with what tells it from a later one of the same name. */
function kept(cache: string): Map<string, number> {
  if (!existsSync(cache)) return new Map();
  const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // What a process was writing when it was killed has the process in its name, and counts for nothing.
  const whole = files.filter(({ name }) => !name.includes('.'));
  return new Map(whole.map(({ parentPath, name }) => [name, statSync(join(parentPath, name)).ino]));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

it.each(['m4b', 'mp3'])('%s: nothing is said twice, and the output is whole', { timeout: 500_000 }, async (format) => {
  using here = folder();
  writeFileSync(here.at('book.pdf'), await book());
  const env = { ...CLEAN, PDFTOOL_ENGINE: 'local', PDFTOOL_CACHE_DIR: here.at('cache') };
  const line = ['audiobook', 'book.pdf', '--voice-id', 'slt', '-o', `book.${format}`, '-q'];
  let before = kept(here.at('cache'));
  let grew = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(process.execPath, [PROGRAM, ...line], { cwd: here.path, env, stdio: 'ignore' });
    const exit = once(child, 'exit');
    // At any moment: every other time while sentences are said, else at the start, or while it reads.
    if (kill % 2 === 0) await until(() => kept(here.at('cache')).size > before.size);
    await sleep(Math.random() * 800);
    child.kill('SIGKILL');
    const [code, signal] = await exit;
    expect([code, signal]).toEqual([null, 'SIGKILL']);
    expect(existsSync(here.at(`book.${format}`))).toBe(false);
    const after = kept(here.at('cache'));
    for (const [name, ino] of before) expect(after.get(name)).toBe(ino);
    grew += after.size > before.size ? 1 : 0;
    before = after;
  }
  // Kills came while sentences were said, and none of the runs got to the end of them.
  expect(grew).toBeGreaterThanOrEqual(KILLS / 2);
  expect(before.size).toBeLessThan(SENTENCES);
  expect((await pdftool(line, { cwd: here.path, env })).exitCode).toBe(0);
  const after = kept(here.at('cache'));
  for (const [name, ino] of before) expect(after.get(name)).toBe(ino);
  expect(after.size).toBe(SENTENCES);
  expect(here.list()).toEqual([`book.${format}`, 'book.pdf', 'cache']);

  const undisturbed = { ...env, PDFTOOL_CACHE_DIR: here.at('other') };
  const fresh = ['audiobook', 'book.pdf', '--voice-id', 'slt', '-o', `fresh.${format}`, '-q'];
  expect((await pdftool(fresh, { cwd: here.path, env: undisturbed })).exitCode).toBe(0);
  expect(readFileSync(here.at(`book.${format}`)).equals(readFileSync(here.at(`fresh.${format}`)))).toBe(true);
});
