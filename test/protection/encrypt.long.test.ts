// Holds that what is encrypted opens in qpdf, poppler, mutool and pdf.js with each password and in none without, looks as it
// did, and comes out of `decrypt` as it went in.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { decryptDocument, encryptDocument } from '../../src/local/protection/encryption.ts';
import { CLEAN, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const LOREM = join(FIXTURES, 'lorem-ipsum.pdf');
/** In these files strings stand in streams, pages inherit, objects are packed, and a form is filled in. */
const FILES = [
  'lorem-ipsum.pdf',
  'object-streams.pdf',
  'inherited.pdf',
  'hybrid-xref.pdf',
  'outlines.pdf',
  'linearized.pdf',
  'documents/pdfbox--acroform.pdf',
  'documents/sample-files--pdflatex-image.pdf',
  'documents/pypdf--git.pdf',
];

type Options = Omit<Parameters<typeof encryptDocument>[0], 'file'>;
const context = () => ({ ...createContext(), random: (length: number) => randomBytes(length) });

async function encrypted(path: string, options: Options): Promise<{ bytes: Uint8Array; warnings: readonly string[] }> {
  const result = await encryptDocument({ file: sourceOf('in.pdf', readFileSync(path)), ...options }, context());
  return { bytes: await bytesOf(result.body), warnings: result.warnings ?? [] };
}

/** Each reader: whether it opens the file with the password, and what it says. */
const READERS: Record<string, (path: string, password: string) => Promise<boolean> | boolean> = {
  qpdf: (path, password) => ran('qpdf', [`--password=${password}`, '--check', path]) === 0,
  poppler: (path, password) =>
    ran('pdftotext', ['-upw', password, path, '-']) === 0 || ran('pdftotext', ['-opw', password, path, '-']) === 0,
  mutool: (path, password) => ran('mutool', ['draw', '-q', '-p', password, '-F', 'txt', '-o', '/dev/null', path]) === 0,
  'pdf.js': async (path, password) => {
    const task = getDocument({ data: new Uint8Array(readFileSync(path)), password, verbosity: 0 });
    try {
      const page = await (await task.promise).getPage(1);
      await page.getOperatorList();
      return true;
    } catch (error) {
      expect((error as Error).name).toBe('PasswordException');
      return false;
    } finally {
      await task.destroy();
    }
  },
};

function ran(program: string, args: readonly string[]): number | null {
  return spawnSync(program, args, { stdio: 'ignore' }).status;
}

function pixels(path: string, password = ''): string {
  return execFileSync('pdftoppm', ['-r', '30', '-l', '5', '-upw', password, path], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** All objects with their decrypted data, as qpdf sees them; numbers and file positions differ. */
function pagesText(path: string, password = ''): string {
  return execFileSync('pdftotext', ['-upw', password, path, '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

describe.each(FILES)('%s', (name) => {
  const path = join(FIXTURES, name);

  it('opens with each password and in no reader without', async () => {
    using here = folder();
    const { bytes } = await encrypted(path, { user_password: 'Käse 3', owner_password: 'owner' });
    const output = here.at('out.pdf');
    writeFileSync(output, bytes);
    for (const [reader, opens] of Object.entries(READERS)) {
      for (const password of ['Käse 3', 'owner'])
        expect([reader, password, await opens(output, password)]).toEqual([reader, password, true]);
      for (const password of ['', 'Kase 3'])
        expect([reader, password, await opens(output, password)]).toEqual([reader, password, false]);
    }
    expect(pixels(output, 'Käse 3')).toBe(pixels(path));
    expect(pagesText(output, 'Käse 3')).toBe(pagesText(path));
  });

  it('comes out of decrypt as it went in', async () => {
    using here = folder();
    const { bytes } = await encrypted(path, { user_password: 'u', owner_password: 'o', deny: 'print,copy' });
    for (const password of ['u', 'o']) {
      const result = await decryptDocument({ file: sourceOf('in.pdf', bytes), password }, createContext());
      writeFileSync(here.at('back.pdf'), await bytesOf(result.body));
      expect(result.details).toEqual({
        encryption: {
          method: 'AES-256, revision 6',
          opened_by: password === 'u' ? 'user' : 'owner',
          allowed: ['change', 'annotate', 'fill-forms', 'assemble'],
          refused: ['print', 'copy', 'print-well'],
        },
      });
      expect(ran('qpdf', ['--check', here.at('back.pdf')])).toBe(ran('qpdf', ['--check', path]));
      expect(execFileSync('qpdf', ['--show-encryption', here.at('back.pdf')], { encoding: 'utf8' })).toContain(
        'not encrypted',
      );
      expect(pixels(here.at('back.pdf'))).toBe(pixels(path));
      expect(execFileSync('pdfinfo', [here.at('back.pdf')], { encoding: 'utf8' }).match(/^(Title|Author).*/gm)).toEqual(
        execFileSync('pdfinfo', [path], { encoding: 'utf8' }).match(/^(Title|Author).*/gm),
      );
    }
  });
});

describe('what is encrypted', () => {
  it.each(['allow', 'deny'] as const)('says by name what is allowed: %s', async (field) => {
    using here = folder();
    const list = field === 'allow' ? 'print-low, annotate fill-forms' : 'print-well,change,copy,assemble';
    const { bytes, warnings } = await encrypted(LOREM, { owner_password: 'o', [field]: list });
    writeFileSync(here.at('out.pdf'), bytes);
    const said = execFileSync('qpdf', ['--show-encryption', here.at('out.pdf')], { encoding: 'utf8' });
    expect(said).toMatch(/^R = 6$/m);
    const facts = Object.fromEntries(
      [...said.matchAll(/^(.+): (allowed|not allowed)$/gm)].map(([, what, how]) => [what, how]),
    );
    expect(facts).toMatchObject({
      'print low resolution': 'allowed',
      'print high resolution': 'not allowed',
      'modify annotations': 'allowed',
      'modify forms': 'allowed',
      'modify other': 'not allowed',
      'modify document assembly': 'not allowed',
      'extract for any purpose': 'not allowed',
      'extract for accessibility': 'allowed',
    });
    // Anybody opens it: that must not be taken for locked.
    expect(warnings.join()).toMatch(
      /anybody can open the output without a password; programs are asked not to: change, copy/,
    );
    for (const [reader, opens] of Object.entries(READERS))
      expect([reader, await opens(here.at('out.pdf'), '')]).toEqual([reader, true]);
  });

  it('holds no string and no stream in clear', async () => {
    const { bytes } = await encrypted(join(FIXTURES, 'documents/pdfbox--acroform.pdf'), { user_password: 'u' });
    const text = Buffer.from(bytes).toString('latin1');
    expect(text).not.toMatch(/\/Author|\/Title|Helvetica|BT\s/);
  });

  it('is not the same twice, and none of it repeats', async () => {
    const [a, b] = [await encrypted(LOREM, { user_password: 'u' }), await encrypted(LOREM, { user_password: 'u' })];
    expect(Buffer.compare(a.bytes, b.bytes)).not.toBe(0);
  });

  it('takes a password as long as the rules allow, however it was typed', async () => {
    using here = folder();
    const composed = `Ångström ${'x'.repeat(100)}`;
    const { bytes } = await encrypted(LOREM, { user_password: composed.normalize('NFD') });
    writeFileSync(here.at('out.pdf'), bytes);
    expect(ran('qpdf', [`--password=${composed.normalize('NFC')}`, '--check', here.at('out.pdf')])).toBe(0);
    const file = sourceOf('in.pdf', bytes);
    for (const form of ['NFC', 'NFD'] as const) {
      const result = await decryptDocument({ file, password: composed.normalize(form) }, createContext());
      expect(result.pages).toBe(4);
    }
  });

  it('may have been encrypted before: the old passwords open it no more', async () => {
    using here = folder();
    execFileSync('qpdf', ['--encrypt', '', 'old', '256', '--', LOREM, here.at('old.pdf')]);
    const { bytes, warnings } = await encrypted(here.at('old.pdf'), { user_password: 'new', owner_password: 'newer' });
    writeFileSync(here.at('out.pdf'), bytes);
    expect(warnings.join()).toMatch(/was encrypted; its old passwords do not open the output/);
    for (const [password, status] of [
      ['old', 2],
      ['', 2],
      ['new', 0],
      ['newer', 0],
    ] as const)
      expect(ran('qpdf', [`--password=${password}`, '--check', here.at('out.pdf')])).toBe(status);
  });

  it('says that a signature does not hold', async () => {
    const { warnings } = await encrypted(join(FIXTURES, 'signed-twice.pdf'), { user_password: 'u' });
    expect(warnings.join()).toMatch(/is signed; the signature does not hold/);
  });

  it('opens with a crypt filter of its own in one of its streams', async () => {
    using here = folder();
    // A stream that says it is not encrypted, in a file that is not: a reader would take it for plain.
    const text = 'BT /F1 20 Tf 20 20 Td (plain) Tj ET';
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
      `<</Filter[/Crypt]/DecodeParms[<</Name/Identity>>]/Length ${text.length}>>stream\n${text}\nendstream`,
    ];
    const { pdfOf } = await import('../structure/run.ts');
    writeFileSync(here.at('in.pdf'), pdfOf(objects), 'latin1');
    const { bytes } = await encrypted(here.at('in.pdf'), { user_password: 'u' });
    writeFileSync(here.at('out.pdf'), bytes);
    expect(pagesText(here.at('out.pdf'), 'u')).toMatch(/plain/);
    expect(ran('qpdf', ['--password=u', '--check', here.at('out.pdf')])).toBe(0);
  });
});

describe('is refused:', () => {
  const file = sourceOf('in.pdf', readFileSync(LOREM));
  it.each([
    [{}, /needs a user password, an owner password or both/],
    [{ user_password: 'same', owner_password: 'same', deny: 'print' }, /an owner password that differs/],
    [{ user_password: 'alone', allow: 'none' }, /an owner password that differs/],
    [{ owner_password: 'o', allow: 'print,paint' }, /there is no permission named 'paint'/],
  ] as const)('%j', async (options, says) => {
    await expect(async () => encryptDocument({ file, ...options }, context())).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(says),
    });
  });

  it('decrypting what is not encrypted, or with a wrong password', async () => {
    await expect(decryptDocument({ file }, createContext())).rejects.toMatchObject({
      message: 'in.pdf is not encrypted',
    });
    const { bytes } = await encrypted(LOREM, { user_password: 'u' });
    const locked = sourceOf('in.pdf', bytes);
    await expect(decryptDocument({ file: locked, password: 'v' }, createContext())).rejects.toMatchObject({
      code: 'password',
    });
    await expect(decryptDocument({ file: locked }, createContext())).rejects.toMatchObject({ code: 'password' });
  });
});

describe('the program', () => {
  it('takes passwords from files and the environment, never from the line, and tells what was allowed', async () => {
    using here = folder();
    writeFileSync(here.at('user.txt'), 'geheim\n');
    const env = { ...CLEAN, PDFTOOL_OWNER_PASSWORD: 'meister' };
    const cwd = here.path;
    const line = await pdftool(['encrypt', LOREM, '--user-password', 'geheim'], { cwd, env });
    expect([line.exitCode, line.stderr]).toEqual([2, expect.stringMatching(/--user-password/)]);
    const made = await pdftool(['encrypt', LOREM, '--user-password-file', 'user.txt', '--deny', 'copy'], { cwd, env });
    expect(made.stderr).toBe('');
    expect(made.stdout).toBe('lorem-ipsum-encrypted.pdf\n');
    const none = await pdftool(['decrypt', 'lorem-ipsum-encrypted.pdf', '-o', 'open.pdf'], { cwd });
    expect([none.exitCode, here.list().includes('open.pdf')]).toEqual([7, false]);
    const back = await pdftool(
      ['decrypt', 'lorem-ipsum-encrypted.pdf', '--password-file', 'user.txt', '-o', 'open.pdf'],
      { cwd },
    );
    expect(back.stderr).toMatch(/was encrypted \(AES-256, revision 6\), and allowed print, change, annotate/);
    expect(ran('qpdf', ['--check', here.at('open.pdf')])).toBe(0);
    const missing = await pdftool(['encrypt', LOREM], { cwd });
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      expect.stringMatching(/encrypt needs --user-password-file/),
    ]);
  });

  it('encrypts a file of 300 MB in little memory', async () => {
    using here = folder();
    // One stream that does not fit in what the program may hold, and many small ones.
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</A 4 0 R>>>>>>',
    ];
    const size = 300 << 20;
    const head = `%PDF-1.7\n${objects.map((each, i) => `${i + 1} 0 obj\n${each}\nendobj\n`).join('')}`;
    const stream = `4 0 obj\n<</Type/XObject/Subtype/Image/Width 10240/Height 30720/BitsPerComponent 8/ColorSpace/DeviceGray/Length ${size}>>stream\n`;
    const { appendFileSync } = await import('node:fs');
    writeFileSync(here.at('big.pdf'), head + stream, 'latin1');
    const block = Buffer.alloc(1 << 20, 7);
    for (let i = 0; i < 300; i++) appendFileSync(here.at('big.pdf'), block);
    const places = [...head.matchAll(/\d+ 0 obj/g)].map((match) => match.index);
    const start = head.length + stream.length + size + '\nendstream\nendobj\n'.length;
    const rows = [...places, head.length].map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
    appendFileSync(
      here.at('big.pdf'),
      `\nendstream\nendobj\nxref\n0 5\n0000000000 65535 f \n${rows}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    );
    mkdirSync(here.at('out'));
    const env = { ...CLEAN, PDFTOOL_USER_PASSWORD: 'u' };
    const { stderr, status } = spawnSync(
      '/usr/bin/time',
      ['-f', '%M', process.execPath, PROGRAM, 'encrypt', here.at('big.pdf'), '-o', here.at('out/big.pdf')],
      { env, encoding: 'utf8' },
    );
    expect(status, stderr).toBe(0);
    expect(Number(stderr.trim().split('\n').at(-1))).toBeLessThan(250_000);
    expect(ran('qpdf', ['--password=u', '--check', here.at('out/big.pdf')])).toBe(0);
  }, 120_000);
});
