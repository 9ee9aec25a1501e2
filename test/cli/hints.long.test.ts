// Runs what hints say, as they say it: whatever is typed for a hint must at least be a line that pdftool understands.
import { copyFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OTHER_LINES } from '../../src/cli/other-words.ts';
import { folder, pdftool } from '../e2e/pdftool.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const USAGE = 2;
const here = folder();
afterAll(() => here[Symbol.dispose]());

beforeAll(async () => {
  const copies = {
    'inherited.pdf': ['six.pdf'],
    'lorem-ipsum.pdf': ['in.pdf', 'a.pdf', 'b.pdf', 'fronts.pdf', 'backs.pdf', 'letterhead.pdf', 'taken.pdf'],
    'rotated-270.pdf': ['plain.pdf'],
    'documents/pdfbox--acroform.pdf': ['form.pdf'],
    'pictures/image-rs--cat.jpg': ['page1.jpg', 'page2.jpg'],
    'pictures/ljt--testorig.png': ['signature.png'],
  };
  for (const [from, names] of Object.entries(copies))
    for (const name of names) copyFileSync(resolve(FIXTURES, from), here.at(name));
  const texts = {
    'toc.txt': '1 One\n',
    'data.json': '{}',
    'nobody.json': '{"nobody":"1"}',
    'data.csv': 'a\n',
    'pw.txt': 'open\n',
    'wrong.txt': 'shut\n',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(here.at(name), text);
  for (const line of [
    'images-to-pdf page1.jpg -o scan.pdf',
    'encrypt in.pdf --user-password-file pw.txt -o locked.pdf',
    'attach add in.pdf data.csv -o attached.pdf',
    'redact inspect in.pdf --find dolor -o regions.json',
  ])
    expect((await run(line)).exitCode, line).toBe(0);
}, 300_000);

const run = (line: string) => pdftool([...line.split(' '), '--local'], { cwd: here.path });

/** What the words in capitals of a hint stand for. */
const VALUES: Readonly<Record<string, string>> = {
  FILE: 'in.pdf',
  TEXT: 'dolor',
  NAME: 'dolor',
  PAGES: '1',
  RE: 'dol.r',
  'FONT.ttf': 'font.ttf',
};
const filled = (line: string, file: string) =>
  line.replace(/\b(FONT\.ttf|[A-Z]+)\b(?!\{)/g, (word) => (word === 'FILE' ? file : (VALUES[word] ?? word)));

describe('the line for a word of another program', () => {
  it.concurrent.each(OTHER_LINES.map((line) => [line]))('%s', { timeout: 120_000 }, async (line) => {
    if (/^(auth|completion|help)\b/.test(line)) return;
    // Pages 2 and 5 must be there, and a voice takes minutes for a document.
    const file = line.startsWith('form') ? 'form.pdf' : 'six.pdf';
    const how = /^(narrate|audiobook)/.test(line) ? '--plan' : '-f';
    const { exitCode, stderr } = await run(`${filled(line, file)} ${how}`);
    expect(exitCode, stderr).not.toBe(USAGE);
  });
});

describe('an option that the hint names', () => {
  // The line, what it says, and the option as it is to be added; it stands for the one that was mistaken.
  it.concurrent.each([
    ['compress in.pdf', '--max-size 200KB', '--target 200KB'],
    ['encrypt in.pdf -o out.pdf', '--password pw.txt', '--user-password-file FILE'],
    ['info locked.pdf', '--password open', '--password-file FILE'],
    ['number in.pdf -f', '--bates', '--format A{page:6}'],
    ['merge a.pdf b.pdf', '--range 1', '--pages 1'],
    ['info locked.pdf', '', '--password-file FILE'],
    ['merge a.pdf b.pdf -o taken.pdf', '', '--force'],
    ['blank in.pdf -f', '', '--first'],
    ['markdown in.pdf -o p.zip', '--output-format source-pack', '--mode rag'],
    ['attach add attached.pdf data.csv -f', '', '--replace'],
    ['stamp in.pdf -f', '--text ｲ', '--font-file FONT.ttf'],
    ['extract-text scan.pdf', '', '--ocr'],
  ])('%s %s: %s', { timeout: 120_000 }, async (line, mistaken, option) => {
    const first = await run(`${line} ${mistaken}`.trim());
    expect(first.exitCode).not.toBe(0);
    expect(first.stderr).toContain(option);
    const value = option.includes('password') ? 'pw.txt' : 'in.pdf';
    const kept = /mode rag|replace|font-file/.test(option) ? `${line} ${mistaken}` : line;
    const second = await run(`${kept.trim()} ${filled(option, value)}`);
    if (option.startsWith('--font-file')) expect(second.stderr).toMatch(/font\.ttf/);
    else expect(second.exitCode, second.stderr).not.toBe(USAGE);
  });
});

describe('a command that the hint names', () => {
  it.concurrent.each([
    ['images plain.pdf', 'pdftool to-images'],
    ['form fill in.pdf --data data.json', 'pdftool stamp'],
    ['form fill form.pdf --data nobody.json -o nobody.pdf', 'pdftool form show FILE'],
    ['optimize in.pdf', 'pdftool optimize --help'],
    ['redact apply in.pdf --regions regions.json', 'pdftool redact review'],
    ['extract-text scan.pdf', 'pdftool ocr'],
    ['frobnicate', 'pdftool --help'],
    ['completion csh', 'pdftool completion --help'],
    ['pages frobnicate', 'pdftool pages --help'],
  ])('%s: %s', { timeout: 120_000 }, async (line, command) => {
    const first = await pdftool(line.split(' '), { cwd: here.path });
    expect(first.exitCode).not.toBe(0);
    expect(first.stderr).toContain(command);
    const words = filled(command.replace('pdftool ', ''), line.includes('form') ? 'form.pdf' : 'in.pdf');
    const needed: Readonly<Record<string, string>> = {
      'to-images': 'in.pdf -o pictures -f',
      stamp: 'in.pdf --text Draft -f',
      'redact review': 'in.pdf --regions regions.json -f',
      ocr: 'scan.pdf -f',
    };
    const second = await pdftool(`${words} ${needed[words] ?? ''}`.trim().split(' '), { cwd: here.path });
    expect(second.exitCode, second.stderr).not.toBe(USAGE);
  });
});
