// Holds that encrypted PDFs open with their password, come out decrypted and equal, and are refused without it. qpdf
// encrypts and decrypts; poppler reads.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from './pdftool.ts';

const PLAIN = join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const OUTLINES = join(import.meta.dirname, '../fixtures/outlines.pdf');

/** Every revision of the standard handler: what qpdf is told, and the password's spelling. */
const REVISIONS = [
  ['2', ['--allow-weak-crypto', '--encrypt', 'geheim', 'owner', '40', '--']],
  ['3', ['--allow-weak-crypto', '--encrypt', 'geheim', 'owner', '128', '--use-aes=n', '--']],
  ['4, RC4', ['--allow-weak-crypto', '--encrypt', 'geheim', 'owner', '128', '--use-aes=n', '--force-V4', '--']],
  ['4, AES', ['--allow-weak-crypto', '--encrypt', 'geheim', 'owner', '128', '--use-aes=y', '--']],
  ['4, metadata in clear', ['--encrypt', 'geheim', 'owner', '128', '--use-aes=y', '--cleartext-metadata', '--']],
  ['5', ['--allow-weak-crypto', '--encrypt', 'geheim', 'owner', '256', '--force-R5', '--']],
  ['6', ['--encrypt', 'geheim', 'owner', '256', '--']],
] as const;

/** What becomes of a trailer, as a change of the file's text. The /ID is still there. */
const LOST = [
  ['is misspelt', /\/Encrypt /, '/Encrxpt ', 'disable'],
  ['is misspelt in a cross-reference stream', /\/Encrypt /, '/Encrxpt ', 'generate'],
  ['is cut out, so that its table is whole', /\/Encrypt \d+ 0 R/, '', 'disable'],
  ['leads nowhere', /\/Encrypt \d+ 0 R/, '/Encrypt 999 0 R', 'disable'],
  ['is lost with the way to the table', /\/Encrypt \d+ 0 R([\s\S]*startxref\n)/, '$19', 'disable'],
  [
    'is lost in a trailer that does not follow the syntax',
    /trailer <<([\s\S]*)\/Encrypt \d+ 0 R/,
    'trailer <!$1',
    'disable',
  ],
] as const;

async function encrypted(here: Folder, arguments_: readonly string[], name = 'locked.pdf'): Promise<string> {
  await execa('qpdf', [...arguments_, PLAIN, here.at(name)]);
  return name;
}

function passwordFile(here: Folder, password: string, name = 'password.txt'): string {
  writeFileSync(here.at(name), `${password}\n`);
  return name;
}

async function textOf(path: string): Promise<string> {
  return (await execa('pdftotext', [path, '-'])).stdout;
}

async function expectEqual(path: string): Promise<void> {
  await execa('qpdf', ['--check', path]);
  expect((await execa('qpdf', ['--show-encryption', path])).stdout).toContain('File is not encrypted');
  expect(await textOf(path)).toBe(await textOf(PLAIN));
}

describe.each(REVISIONS)('revision %s', (revision, arguments_) => {
  it.each(['geheim', 'owner'])('opens with %s and comes out decrypted', async (password) => {
    using here = folder();
    const file = await encrypted(here, arguments_);
    const options = ['--password-file', passwordFile(here, password), '-o', 'out.pdf'];
    const once = await pdftool(['rotate', '--angle', '90', file, ...options], { cwd: here.path });
    expect(once.stderr).toContain('was encrypted; the output is not');
    expect(once.exitCode).toBe(0);
    const back = await pdftool(['rotate', '--angle', '-90', 'out.pdf', '-o', 'back.pdf'], { cwd: here.path });
    expect(back.exitCode).toBe(0);
    await expectEqual(here.at('back.pdf'));
  });

  it('never passes for plain where what says so is cut off', async () => {
    using here = folder();
    const open = arguments_.map((each) => (each === 'geheim' ? '' : each));
    const whole = readFileSync(here.at(await encrypted(here, open)), 'latin1');
    const handler = whole.search(/\d+ 0 obj\n<<[^>]*\/Filter \/Standard|\d+ 0 obj\n<< \/CF/);
    expect(handler).toBeGreaterThan(0);
    for (const [end, why] of [
      [whole.indexOf('\nxref'), 'its key is lost with its trailer'],
      [handler, 'its streams cannot be read, and what says how it is encrypted is lost'],
    ] as const) {
      writeFileSync(here.at('cut.pdf'), whole.slice(0, end), 'latin1');
      const run = await pdftool(['merge', 'cut.pdf', 'cut.pdf', '-o', 'out.pdf', '-f'], { cwd: here.path });
      // From revision 5 on the key is made of the handler and the password alone.
      if (run.exitCode === 0) {
        expect(Number.parseInt(revision, 10)).toBeGreaterThanOrEqual(5);
        expect(await textOf(here.at('out.pdf'))).toBe((await textOf(PLAIN)).repeat(2));
      } else expect(run).toMatchObject({ exitCode: 6, stderr: expect.stringContaining(why) });
    }
  });

  it.each(LOST)('never passes for plain where /Encrypt of its trailer %s', async (_, from, to, streams) => {
    using here = folder();
    const file = await encrypted(here, [`--object-streams=${streams}`, ...arguments_]);
    const damaged = readFileSync(here.at(file), 'latin1').replace(from, to);
    writeFileSync(here.at(file), damaged, 'latin1');
    const options = ['--password-file', passwordFile(here, 'geheim'), '-o', 'out.pdf', '-f'];
    const { exitCode, stderr } = await pdftool(['rotate', '--angle', '90', file, ...options], { cwd: here.path });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('its trailer does not say that it is encrypted')]);
    expect(stderr).toContain('was encrypted; the output is not');
    const { stdout } = await execa('qpdf', ['--show-npages', here.at('out.pdf')]);
    expect(stdout).toBe('4');
    expect(await textOf(here.at('out.pdf'))).toContain('Lorem ipsum');
  });

  it('is refused with a wrong password and with none', async () => {
    using here = folder();
    const file = await encrypted(here, arguments_);
    const wrong = ['--password-file', passwordFile(here, 'guess')];
    for (const [options, message] of [
      [wrong, 'the password is wrong'],
      [[], 'needs a password'],
    ] as const) {
      const run = await pdftool(['merge', file, file, '--json', ...options], { cwd: here.path });
      expect(run.exitCode).toBe(7);
      expect(JSON.parse(run.stdout).error).toMatchObject({ code: 'password', kind: 'encrypted' });
      expect(JSON.parse(run.stdout).error.message).toContain(message);
      expect(here.list()).not.toContain('merged.pdf');
    }
  });
});

describe('passwords', () => {
  it('a damaged member of an object stream costs that member, and its strings are no ciphertext', async () => {
    using here = folder();
    const words = ['--allow-weak-crypto', '--object-streams=generate', '--compress-streams=n'];
    const encrypt = ['--encrypt', '', 'owner', '128', '--use-aes=n', '--'];
    await execa('qpdf', [...words, ...encrypt, OUTLINES, here.at('locked.pdf')]);
    const bytes = readFileSync(here.at('locked.pdf'));
    const number = /(\d+) 0 obj\s*<<[^>]*\/ObjStm/.exec(bytes.toString('latin1'))?.[1] ?? '';
    const show = [`--show-object=${number}`, '--filtered-stream-data', here.at('locked.pdf')];
    const { stdout: members } = await execa('qpdf', show, { encoding: 'buffer' });
    const at = Buffer.from(members).indexOf('/Title');
    const header = bytes.indexOf(`${number} 0 obj`);
    const start = bytes.indexOf('stream', bytes.indexOf('/ObjStm', header)) + 'stream\n'.length;
    // RC4 turns one bit of what it hides for each bit that is turned in it: the name's slash becomes a parenthesis.
    bytes[start + at] = (bytes[start + at] ?? 0) ^ '/'.charCodeAt(0) ^ ')'.charCodeAt(0);
    writeFileSync(here.at('damaged.pdf'), bytes);
    const shown = async (name: string) => (await pdftool(['bookmarks', 'show', name], { cwd: here.path })).stdout;
    const [whole, left] = [(await shown('locked.pdf')).split('\n'), (await shown('damaged.pdf')).split('\n')];
    expect(left.filter((line) => !whole.includes(line)).length).toBeLessThanOrEqual(1);
    expect(left.length).toBeGreaterThan(whole.length / 2);
    const run = await pdftool(['rotate', 'damaged.pdf', '--angle', '90', '--local'], { cwd: here.path });
    expect(run.stderr).toMatch(/what was left of objects? [\d, ]+(\(pages? [\d, -]+\) )?was kept/);
    expect((await execa('qpdf', ['--check', here.at('damaged-rotated.pdf')])).exitCode).toBe(0);
  });

  it('an empty user password opens by itself', async () => {
    using here = folder();
    const file = await encrypted(here, ['--encrypt', '', 'owner', '256', '--']);
    const run = await pdftool(['split', file, '--ranges', '1-4', '-o', 'out'], { cwd: here.path });
    expect(run.exitCode).toBe(0);
    await expectEqual(here.at('out/pages-001-004.pdf'));
  });

  it.each([
    ['40', ['--allow-weak-crypto', '--encrypt', '€ł“ä', 'x', '40', '--']],
    ['128', ['--allow-weak-crypto', '--encrypt', '€ł“ä', 'x', '128', '--']],
    ['256', ['--encrypt', '€ł“ä', 'x', '256', '--']],
  ])('beyond Latin-1 open a file with a key of %s bits', async (_, arguments_) => {
    using here = folder();
    const file = await encrypted(here, arguments_);
    const options = ['--password-file', passwordFile(here, '€ł“ä')];
    const run = await pdftool(['info', file, ...options], { cwd: here.path });
    expect(run.stderr).not.toContain('error');
    expect(run.exitCode).toBe(0);
  });

  it('may stand behind a byte order mark, and be for standard input', async () => {
    using here = folder();
    const file = await encrypted(here, ['--encrypt', 'geheim', 'x', '256', '--']);
    const option = `-=${passwordFile(here, '\uFEFFgeheim')}`;
    const run = await execa(process.execPath, [PROGRAM, 'info', '-', '--password-for', option], {
      cwd: here.path,
      env: CLEAN,
      extendEnv: false,
      inputFile: here.at(file),
    });
    expect(run.stdout).toContain('Page count  4');
  });

  it('come from the environment, and one by one for a merge', async () => {
    using here = folder();
    const one = await encrypted(here, ['--encrypt', 'eins', 'x', '256', '--'], 'one.pdf');
    const two = await encrypted(here, ['--encrypt', 'zwei', 'x', '256', '--'], 'two=2.pdf');
    copyFileSync(PLAIN, here.at('plain.pdf'));
    const options = ['--password-for', `${two}=${passwordFile(here, 'zwei')}`, '-o', 'out.pdf'];
    const env = { ...CLEAN, PDFTOOL_PDF_PASSWORD: 'eins' };
    const run = await pdftool(['merge', one, two, 'plain.pdf', ...options], { cwd: here.path, env });
    expect(run.stderr).not.toContain('error');
    expect(run.exitCode).toBe(0);
    const text = await textOf(PLAIN);
    expect(await textOf(here.at('out.pdf'))).toBe(text.repeat(3));
  });

  it('of a handler nobody knows: exit 7 names it', async () => {
    using here = folder();
    const file = await encrypted(here, ['--encrypt', '', 'owner', '256', '--']);
    const { stdout } = await execa('qpdf', ['--show-npages', here.at(file)]);
    expect(stdout).toBe('4');
    const bytes = (await import('node:fs')).readFileSync(here.at(file), 'latin1');
    writeFileSync(here.at('other.pdf'), bytes.replace('/Filter /Standard', '/Filter /Sandtard'), 'latin1');
    const run = await pdftool(['info', 'other.pdf'], { cwd: here.path });
    expect(run.exitCode).toBe(7);
    expect(run.stderr).toContain('the security handler Sandtard');
  });

  it('given without a file: a usage error that says why', async () => {
    using here = folder();
    const run = await pdftool(['merge', PLAIN, PLAIN, '--password-for', 'secret'], { cwd: here.path });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('expected FILE=PASSWORDFILE');
  });
});
