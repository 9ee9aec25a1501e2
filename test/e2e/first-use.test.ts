// What independent testers stumbled over when they used the program for the first time (issue 20 C).
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { CLEAN, folder, PROGRAM, pdftool } from './pdftool.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const LOREM = join(ROOT, 'test/fixtures/lorem-ipsum.pdf');
const GUIDE = join(ROOT, 'test/fixtures/guide.pdf');

describe('outputs', () => {
  it('--out-dir makes the folder for one file as it does for two, and records have one shape', async () => {
    using here = folder();
    for (const name of ['a.pdf', 'b.pdf']) makePdf(here.at(name));
    const rotate = async (...names: string[]) => {
      const args = ['rotate', ...names, '--angle', '90', '--out-dir', `out${names.length}`, '--json', '--local'];
      const run = await pdftool(args, { cwd: here.path });
      expect([run.exitCode, run.stderr]).toEqual([0, '']);
      return run.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const [[one], two] = [await rotate('a.pdf'), await rotate('a.pdf', 'b.pdf')];
    expect(one).toMatchObject({ input: 'a.pdf', output: { path: 'out1/a-rotated.pdf' } });
    expect(two.map((each) => Object.keys(each))).toEqual([Object.keys(one), Object.keys(one)]);
    const info = async (...names: string[]) =>
      (await pdftool(['info', ...names, '--json', '--local'], { cwd: here.path })).stdout.trim().split('\n');
    const shapes = [...(await info('a.pdf')), ...(await info('a.pdf', 'b.pdf'))].map((line) =>
      Object.keys(JSON.parse(line)),
    );
    expect(new Set(shapes.map((keys) => keys.join())).size).toBe(1);
    const [alone, first] = [await info('nope.pdf'), await info('nope.pdf', 'a.pdf')].map(([line = '']) =>
      JSON.parse(line),
    );
    expect(alone).toEqual(first);
    expect(alone.input).toBe('nope.pdf');
  });

  it.each([
    [
      'merge',
      [LOREM, GUIDE],
      'out.png',
      /-o out\.png: the result is application\/pdf, not image\/png[\s\S]*Name it out\.pdf/,
    ],
    ['rotate', [LOREM, '--angle', '90'], 'out.txt', /the result is application\/pdf, not text\/plain/],
    ['info', [LOREM], 'out.pdf', /the result is application\/json, not application\/pdf/],
  ])('%s refuses a name that stands for another type, before any work', async (name, args, output, says) => {
    using here = folder();
    const run = await pdftool([name, ...args, '-o', output, '--local'], { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(here.list()).toEqual([]);
  });

  it.each([
    ['merge', [LOREM, GUIDE], 'out'],
    ['merge', [LOREM, GUIDE], 'out.bak'],
    ['extract-text', [LOREM], 'out.md'],
    ['markdown', [LOREM], 'out.txt'],
  ])('%s takes %s %s: other endings say nothing, and text is text', async (name, args, output) => {
    using here = folder();
    const run = await pdftool([name, ...args, '-o', output, '--local'], { cwd: here.path });
    expect([run.exitCode, here.list()]).toEqual([0, [output]]);
  });
});

describe('options', () => {
  it.each(['--grayscale', '--quality=60', '--dpi=100'])('--lossless and %s contradict each other', async (flag) => {
    using here = folder();
    const run = await pdftool(['compress', LOREM, '--lossless', flag, '--local'], { cwd: here.path });
    const name = flag.replace(/=.*/, '');
    expect([run.exitCode, run.stderr]).toEqual([
      2,
      expect.stringContaining(`--lossless and ${name} exclude each other`),
    ]);
    expect(here.list()).toEqual([]);
  });

  it('a password file that is missing is an error, also where no input needs it', async () => {
    for (const flag of ['--password-file=nope.txt', `--password-for=${LOREM}=nope.txt`]) {
      const run = await pdftool(['info', LOREM, flag, '--local']);
      expect([run.exitCode, run.stderr]).toEqual([6, expect.stringContaining('nope.txt: there is no such file')]);
    }
  });

  it('--password-file - reads standard input, for one file and for several at once; not beside a file', async () => {
    using here = folder();
    for (const name of ['a.pdf', 'b.pdf']) {
      execFileSync('qpdf', ['--encrypt', 'pa ss', 'owner', '256', '--', LOREM, here.at(name)]);
    }
    const run = (args: readonly string[], input: string | Buffer) =>
      execa(process.execPath, [PROGRAM, ...args, '--password-file', '-', '--local', '-q'], {
        cwd: here.path,
        env: CLEAN,
        extendEnv: false,
        reject: false,
        input,
      });
    expect((await run(['rotate', 'a.pdf', '--angle', '90'], 'pa ss\nother\n')).exitCode).toBe(0);
    const two = ['rotate', 'a.pdf', 'b.pdf', '--angle', '90', '--out-dir', 'out', '-j', '2'];
    expect((await run(two, 'pa ss')).exitCode).toBe(0);
    expect((await run(['info', 'a.pdf'], 'wrong')).exitCode).toBe(7);
    const both = await run(['info', '-'], readFileSync(here.at('a.pdf')));
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringMatching(/a file and --password-file would both/)]);
  });

  it('a list of files takes comments and empty lines, and an error names list and line', async () => {
    using here = folder();
    for (const name of ['a.pdf', 'b.pdf']) makePdf(here.at(name));
    writeFileSync(here.at('list.txt'), '# chapters\n\na.pdf\n   \n  # later: c.pdf\nb.pdf\n');
    const good = await pdftool(['merge', '@list.txt', '--local', '--json'], { cwd: here.path });
    expect(JSON.parse(good.stdout).output.pages).toBe(2);
    writeFileSync(here.at('list.txt'), '# chapters\na.pdf\n\nnope.pdf\n');
    const bad = await pdftool(['merge', '@list.txt', '--local'], { cwd: here.path });
    expect([bad.exitCode, bad.stderr]).toEqual([
      6,
      expect.stringContaining('nope.pdf: there is no such file (list.txt, line 4)'),
    ]);
  });

  it('markdown --no-anchors leaves out the anchors of pages, and nothing else', async () => {
    const args = ['markdown', LOREM, '--local', '--mode', 'academic'];
    const [with_, without] = [await pdftool(args), await pdftool([...args, '--no-anchors'])];
    expect(with_.stdout.match(/<a id="page-\d+"><\/a>/g)).toHaveLength(4);
    expect(without.stdout).toBe(with_.stdout.replace(/<a id="page-\d+"><\/a>\n\n/g, ''));
    const record = await pdftool([...args, '--no-anchors', '--json']);
    const { markdown, pages } = JSON.parse(record.stdout);
    expect(markdown).toBe(without.stdout);
    expect(pages.at(-1).char_end).toBe([...markdown].length);
    const pack = await pdftool([
      'markdown',
      LOREM,
      '--local',
      '--no-anchors',
      '--mode=rag',
      '--output-format=source-pack',
    ]);
    expect(pack.exitCode).toBe(2);
  });

  it.each([
    ['odd', '1-85:odd'],
    ['even', '1-86:even'],
    ['1-3,7', '1-3,7'],
  ])('pages explain %s says %s', async (range, says) => {
    const run = await pdftool(['pages', 'explain', range, GUIDE]);
    expect(run.stdout).toMatch(new RegExp(`^Pages +${says}$`, 'm'));
    const again = JSON.parse((await pdftool(['pages', 'explain', says, GUIDE, '--json'])).stdout);
    expect(JSON.parse((await pdftool(['pages', 'explain', range, GUIDE, '--json'])).stdout).pages).toEqual(again.pages);
  });
});

describe('info', () => {
  it('names the paper and gives the dates', async () => {
    using here = folder();
    const of = async (path: string) => JSON.parse((await pdftool(['info', path, '--json'])).stdout).details;
    expect(await of(LOREM)).toMatchObject({ created: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/) });
    expect(await of(GUIDE)).toMatchObject({ paper: expect.any(Object) });
    const page = (id: number, box: string) => `${id} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${box}]>>endobj\n`;
    const boxes = ['595 842', '842 595', '612 792', '100 100', '595.276 841.89'];
    writeFileSync(
      here.at('papers.pdf'),
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 5/Kids[3 0 R 4 0 R 5 0 R 6 0 R 7 0 R]>>endobj\n${boxes
        .map((box, i) => page(i + 3, box))
        .join(
          '',
        )}8 0 obj<</CreationDate(D:20240229)/ModDate(D:20240301235959Z)>>endobj\ntrailer<</Root 1 0 R/Info 8 0 R/Size 9>>\n%%EOF`,
    );
    expect(await of(here.at('papers.pdf'))).toMatchObject({
      created: '2024-02-29',
      modified: '2024-03-01T23:59:59Z',
      paper: { A4: '1, 5', 'A4 landscape': '2', Letter: '3' },
    });
  });
});

describe('what is said', () => {
  it('the engine is noted only where a service was ever configured, or with -v', async () => {
    using here = folder();
    const note = /running on this machine: no API key is set/;
    const said = async (env: Readonly<Record<string, string>>, ...more: string[]) =>
      (await pdftool(['info', LOREM, ...more], { env: { ...CLEAN, PDFTOOL_CONFIG_DIR: here.path, ...env } })).stderr;
    expect(await said({})).toBe('');
    expect(await said({}, '-v')).toMatch(note);
    expect(await said({ PDFTOOL_BASE_URL: 'https://service.example' })).toMatch(note);
    // A key of another profile.
    writeFileSync(here.at('keys.json'), '{"work":"sk_test_1"}', { mode: 0o600 });
    expect(await said({})).toMatch(note);
  });

  it('-v tells of each step with its time', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const run = await pdftool(['merge-compress', 'a.pdf', 'a.pdf', '-v', '--local'], { cwd: here.path });
    const time = '[\\d.]+ m?s';
    for (const step of [
      'opened a\\.pdf, a\\.pdf',
      'made',
      'checked',
      'written merged\\.pdf, \\d+ bytes|written merged\\.pdf, [\\d.]+ KB',
    ]) {
      expect(run.stderr).toMatch(new RegExp(`^(${step}): ${time}$`, 'm'));
    }
    // What is made smaller is a draft: its name means nothing to a person.
    expect(run.stderr).not.toMatch(/compress: .*pdf/);
  });

  it('doctor says what sharp and the database are for', async () => {
    const run = await pdftool(['doctor']);
    expect(run.stdout).toMatch(/sharp +(sharp is installed|none); .*makes pictures smaller/);
    expect(run.stdout).toMatch(/database +.*keeps the accounts of pdftool serve/);
  });

  it.each([
    ['a local install', 'project/node_modules/pdftool', true, 'npm install sharp'],
    ['a global install', 'lib/node_modules/pdftool', false, 'npm install -g sharp'],
    ['npx', '.npm/_npx/1f/node_modules/pdftool', true, 'npx -p pdftool -p sharp pdftool'],
  ])('the hint that installs sharp is right for %s', async (_what, place, hasPackage, says) => {
    using here = folder();
    mkdirSync(here.at(place), { recursive: true });
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(join(ROOT, name), here.at(join(place, name)), { recursive: true });
    if (hasPackage) writeFileSync(here.at(join(place, '../../package.json')), '{}');
    copyFileSync(LOREM, here.at('a.pdf'));
    mkdirSync(here.at('path'));
    symlinkSync(here.at(join(place, 'bin/pdftool.js')), here.at('path/pdftool'));
    const run = await execa(process.execPath, [here.at('path/pdftool'), 'doctor'], { env: CLEAN, extendEnv: false });
    expect(run.stdout).toMatch(/sharp +none; sharp makes pictures smaller/);
    expect(run.stdout).toContain(`: ${says}\n`);
  });

  it('a PNG of many chunks brings no warning of Node', async () => {
    using here = folder();
    writeFileSync(here.at('gray.png'), png(1200, 1200, 4096));
    const run = await pdftool(['images-to-pdf', 'gray.png', '--local'], { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
  });
});

/** A grey picture whose data is cut into chunks of so many bytes. */
function png(width: number, height: number, size: number): Buffer {
  let seed = 1;
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < rows.length; at += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    rows[at] = at % (width + 1) === 0 ? 0 : seed & 255;
  }
  const data = deflateSync(rows, { level: 1 });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8);
  const pieces = Array.from({ length: Math.ceil(data.length / size) }, (_, i) =>
    data.subarray(i * size, (i + 1) * size),
  );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...pieces.map((piece) => chunk('IDAT', piece)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** PNG's checksum, bit by bit. Node 20.19 has none of its own. */
function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
