// What cannot be spoken is refused before any work, by name and with the next step, and nothing is left behind.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';

let here: Folder;
let env: Record<string, string>;
const SENTENCE = 'The keeper climbed the stairs and lit the lamp.';

beforeAll(async () => {
  here = folder();
  // Without programs that speak: the embedded voices know English only.
  env = { ...CLEAN, PATH: '', PDFTOOL_ENGINE: 'local', PDFTOOL_CACHE_DIR: here.at('cache') };
  // Text, nothing, text, nothing.
  writeFileSync(here.at('half.pdf'), await pdfOf(SENTENCE, '', SENTENCE, ''));
  writeFileSync(here.at('empty.pdf'), await pdfOf('', ''));
  writeFileSync(
    here.at('italian.pdf'),
    await pdfOf('Il guardiano della torre non era solo, ma con il cane che la nave gli diede.'),
  );
  execFileSync('qpdf', ['--encrypt', 'secret', 'owner', '256', '--', here.at('half.pdf'), here.at('locked.pdf')]);
  writeFileSync(here.at('right.txt'), 'secret\n');
  writeFileSync(here.at('wrong.txt'), 'guess\n');
  writeFileSync(here.at('fixes.txt'), 'boat==ship\n# a comment\nno rule at all\n');
  writeFileSync(here.at('latin.txt'), Buffer.from('boat==ship\ncaf\xe9==coffee\n', 'latin1'));
});
afterAll(() => here[Symbol.dispose]());

const ENGLISH =
  'The keeper climbed the stairs of the tower and lit the lamp,\nwhich was not easy in this wind.\n'.repeat(3);
const ITALIAN = 'Il guardiano della torre non era solo, ma con il cane che la nave gli diede.';
const hasEspeak = spawnSync('espeak-ng', ['--version']).status === 0;

/** The integrated loudness of a part of a file, in LUFS. */
function loudness(path: string, start: number, end: number): number {
  const args = ['-hide_banner', '-ss', `${start}`, '-to', `${end}`, '-i', path, '-af', 'ebur128', '-f', 'null', '-'];
  const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' });
  return Number(/I:\s+(-?[\d.]+) LUFS\s+Threshold/.exec(stderr)?.[1]);
}

async function pdfOf(...texts: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of texts) document.addPage([595, 842]).drawText(text, { x: 60, y: 700, size: 12, font });
  return document.save();
}

const CASES: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['no text on any page', ['empty.pdf'], 6, /empty\.pdf has no text on any of its pages \(1-2\).*\n.*--ocr/],
  ['a range without text', ['half.pdf', '--page-range', '2,4'], 6, /half\.pdf has no text on pages 2, 4.*\n.*--ocr/],
  ['a range beyond the end', ['half.pdf', '--page-range', '5-'], 2, /has 4 pages; there is no page 5/],
  ['a range that is none', ['half.pdf', '--page-range', 'some'], 2, /--page-range/],
  ['an encrypted file', ['locked.pdf'], 7, /locked\.pdf needs a password/],
  ['a wrong password', ['locked.pdf', '--password-file', 'wrong.txt'], 7, /the password is wrong/],
  ['an unknown voice', ['half.pdf', '--voice-id', 'nobody'], 2, /no voice nobody\n.*pdftool voices/],
  ['an unknown style', ['half.pdf', '--voice-style', 'shouting'], 2, /no voice style shouting: expected audiobook/],
  ['a language nobody speaks', ['half.pdf', '--language', 'xx'], 24, /no voice here speaks xx\n.*Install/],
  [
    'a document in a language nobody speaks',
    ['italian.pdf'],
    24,
    /italian\.pdf is written in Italian, and no voice here speaks it\n.*name the voice/,
  ],
  ['its plan', ['italian.pdf', '--plan'], 24, /italian\.pdf is written in Italian/],
  ['a voice of another language', ['half.pdf', '--voice-id', 'rms', '--language', 'de'], 2, /speaks en-US, not de/],
  ['a speed nobody follows', ['half.pdf', '--speed', '9'], 2, /speed from 0.5 to 3, found 9/],
  ['fixes of which one is none', ['half.pdf', '--pronunciation-fixes', '@fixes.txt'], 2, /line 3: .*'no rule at all'/],
  ['fixes that are no UTF-8', ['half.pdf', '--pronunciation-fixes', '@latin.txt'], 6, /latin\.txt: line 2 is no UTF-8/],
  [
    'fixes that are not there',
    ['half.pdf', '--pronunciation-fixes', '@gone.txt'],
    6,
    /gone\.txt: there is no such file/,
  ],
  ['two formats', ['half.pdf', '-o', 'a.m4b', '--output-format', 'mp3'], 2, /contradict each other/],
  ['a format it does not write', ['half.pdf', '-o', 'a.ogg'], 2, /audiobook writes \.mp3, \.m4b, \.mp4/],
];

describe('refused', () => {
  it.each(CASES)('%s', async (_, args, exitCode, message) => {
    const before = here.list();
    const run = await pdftool(['audiobook', ...args], { cwd: here.path, env });
    expect([run.stderr, run.exitCode]).toEqual([expect.stringMatching(message), exitCode]);
    expect(here.list()).toEqual(before);
  });

  it('a paragraph in a language that no voice here speaks is spoken, and said', async () => {
    writeFileSync(here.at('mixed.pdf'), await pdfOf(ENGLISH, ITALIAN));
    const run = await pdftool(['audiobook', 'mixed.pdf', '-o', 'mixed.mp3'], { cwd: here.path, env });
    expect(run.stderr).toBe('warning: a paragraph in Italian read by a voice for American English, from page 2 on\n');
    expect([run.exitCode, run.stdout]).toEqual([0, 'mixed.mp3\n']);
  });

  it.skipIf(!hasEspeak)('a paragraph in another language is read by a voice of that language', async () => {
    writeFileSync(here.at('both.pdf'), await pdfOf(ENGLISH, ITALIAN, ENGLISH));
    const where = { cwd: here.path, env: { ...env, PATH: CLEAN.PATH } };
    const plan = JSON.parse((await pdftool(['audiobook', 'both.pdf', '--plan', '--json'], where)).stdout);
    expect(plan.plan.speech).toMatchObject({ voice: 'flite:rms', other_voices: [expect.stringMatching(/:it.* \(it/)] });
    expect(await pdftool(['audiobook', 'both.pdf', '-o', 'both.mp3'], where)).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    // The three parts are as loud as each other, whatever the voice.
    const times = JSON.parse((await pdftool(['audiobook', 'both.pdf', '-o', 'b.mp3', '--json'], where)).stdout);
    const pages = times.pages as { start: number; end: number }[];
    const levels = pages.map(({ start, end }) => loudness(here.at('both.mp3'), start, end));
    expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(2);
    // A voice that is named reads everything.
    const named = await pdftool(
      ['audiobook', 'both.pdf', '--voice-id', 'slt', '-o', 'c.mp3', '--plan', '--json'],
      where,
    );
    expect(JSON.parse(named.stdout).plan.speech).not.toHaveProperty('other_voices');
  });

  it('an encrypted file is spoken with its password', async () => {
    const args = ['audiobook', 'locked.pdf', '--password-file', 'right.txt', '--voice-id', 'kal16', '-o', 'open.mp3'];
    expect(await pdftool(args, { cwd: here.path, env })).toMatchObject({ exitCode: 0, stdout: 'open.mp3\n' });
    expect(readFileSync(here.at('open.mp3')).toString('latin1', 0, 3)).toBe('ID3');
  });
});

describe('a full disk', () => {
  const small = folder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small.path]).status === 0;
  afterAll(() => {
    if (mounted) spawnSync('umount', [small.path]);
    small[Symbol.dispose]();
  });

  it.skipIf(!mounted).each(['mp3', 'm4b', 'mp4'])(
    'leaves no %s, whole or half, and says which file (skipped where no tmpfs may be mounted)',
    async (format) => {
      const long = ['half.pdf', '--voice-id', 'kal16', '--speed', '0.5', '-o', `${small.path}/book.${format}`];
      writeFileSync(here.at('half.pdf'), await pdfOf(`${SENTENCE} `.repeat(20)));
      const run = await pdftool(['audiobook', ...long], { cwd: here.path, env });
      expect(run.stderr).toMatch(new RegExp(`book\\.${format} cannot be written: no space left on the disk`));
      expect(run.exitCode).toBe(1);
      expect(small.list()).toEqual([]);
    },
  );

  it.skipIf(!mounted)('of the cache only costs time', async () => {
    mkdirSync(`${small.path}/cache`);
    const args = ['audiobook', 'half.pdf', '--voice-id', 'kal16', '-o', 'cached.mp3'];
    const run = await pdftool(args, { cwd: here.path, env: { ...env, PDFTOOL_CACHE_DIR: `${small.path}/cache` } });
    expect([run.exitCode, run.stdout]).toEqual([0, 'cached.mp3\n']);
  });
});

describe('alone', () => {
  // Nothing is found on an empty PATH.
  const unshare = '/usr/bin/unshare';
  const isolates = spawnSync(unshare, ['-n', '/bin/true']).status === 0;

  it.skipIf(!isolates).each([
    ['audiobook', 'm4b'],
    ['audiobook', 'mp3'],
    ['narrate', 'mp4'],
  ])(
    '%s makes its %s with an empty PATH and without a network (skipped where unshare -n is refused)',
    (command, format) => {
      const line = [PROGRAM, command, 'locked.pdf', '--password-file', 'right.txt', '-o', `alone.${format}`, '-f'];
      const run = spawnSync(unshare, ['-n', process.execPath, ...line], {
        cwd: here.path,
        env: { ...env, PATH: '', PDFTOOL_CACHE_DIR: here.at(`cache-${format}`) },
        encoding: 'utf8',
      });
      expect([run.stderr.includes('error'), run.status]).toEqual([false, 0]);
      const probe = ['-v', 'warning', '-i', here.at(`alone.${format}`), '-map', '0:a', '-f', 'null', '-'];
      expect(spawnSync('ffmpeg', probe, { encoding: 'utf8' }).stderr).not.toMatch(/error|invalid/i);
    },
  );
});
