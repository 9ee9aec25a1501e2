import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const PAGES = 4_000;

let here: Folder;
beforeAll(async () => {
  here = folder();
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let i = 1; i <= PAGES; i++) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < 40; line++) {
      page.drawText(`Page ${i}, line ${line} of a document that takes a while`, {
        x: 72,
        y: 780 - 18 * line,
        size: 10,
        font,
      });
    }
  }
  writeFileSync(here.at('long.pdf'), await document.save());
}, 120_000);
afterAll(() => here[Symbol.dispose]());

describe('the same bytes', () => {
  const places = [
    { name: 'first/a.pdf', env: { TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' } },
    { name: 'second/Ein anderer Name é.pdf', env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } },
    { name: 'third/x', env: { TZ: 'America/New_York', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } },
  ];

  it.each([
    ['guide.pdf', 'extract-text'],
    ['guide.pdf', 'to-json'],
    ['guide.pdf', 'markdown --mode developer'],
    ['guide.pdf', 'markdown --mode academic --output-format json'],
    ['guide.pdf', 'markdown --mode rag --output-format jsonl'],
    ['lorem-ipsum.pdf', 'markdown --mode rag --output-format source-pack'],
  ])('of %s by %s under any name, time zone and language', async (fixture, command) => {
    const outputs: Buffer[] = [];
    for (const { name, env } of places) {
      const file = here.at(name);
      mkdirSync(join(file, '..'), { recursive: true });
      copyFileSync(join(FIXTURES, fixture), file);
      const out = join(file, '../out');
      const run = await pdftool([...command.split(' '), file, '--local', '-q', '-f', '-o', out], {
        env: { ...CLEAN, ...env },
      });
      expect(run.stderr).toBe('');
      expect(run.exitCode).toBe(0);
      outputs.push(readFileSync(out));
    }
    expect(outputs[0]!.length).toBeGreaterThan(1_000);
    for (const output of outputs.slice(1)) expect(output.equals(outputs[0]!)).toBe(true);
  });
});

describe('a long document', () => {
  it.each([
    ['extract-text', 'SIGINT', 130],
    ['markdown', 'SIGINT', 130],
    ['to-json', 'SIGTERM', 143],
  ] as const)('%s ends at %s and leaves nothing', async (command, signal, exit) => {
    const before = here.list();
    const child = spawn(process.execPath, [PROGRAM, command, 'long.pdf', '--local', '-o', 'out'], {
      cwd: here.path,
      env: CLEAN,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    // The first word of progress: pages are being read.
    await once(child.stderr, 'data');
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect({ code, said }).toMatchObject({ code: exit, said: expect.stringMatching(/^read: [\d,]+ of 4,000 pages/) });
    expect(here.list()).toEqual(before);
  });
});
