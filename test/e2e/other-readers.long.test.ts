// Holds that the pages of a damaged file are counted by another reader too: who agrees, who differs, who cannot answer,
// who never ends. Whole files ask nobody.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { form, startRig } from '../serve/rig.ts';
import { pdfOf } from '../structure/run.ts';
import { CLEAN, folder, PROGRAM, pdftool } from './pdftool.ts';

const LOREM = readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));

/** Its table lies somewhere else than the file says. */
function lostTable(bytes: Uint8Array): Buffer {
  return Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/startxref\s+\d+/, 'startxref\n7'),
    'latin1',
  );
}

const ONE_PAGE = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 99 99]>>',
  '<</Type/Page/Parent 2 0 R>>',
]);

/** One of its three pages does not say that it is one, and the root speaks of two: pdf-lib and pdf.js find two. */
const DISPUTED = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 2/MediaBox[0 0 99 99]>>',
  '<</Type/Page/Parent 2 0 R>>',
  '<</Type/Page/Parent 2 0 R>>',
  '<</Parent 2 0 R/MediaBox[0 0 99 99]>>',
]);

describe('the pages of a damaged file', () => {
  it('are those that another reader finds, whether it comes by name or through a pipe', async () => {
    using here = folder();
    writeFileSync(here.at('lost.pdf'), lostTable(LOREM));
    const named = await pdftool(['info', '-v', '--json', 'lost.pdf'], { cwd: here.path });
    expect(named.stderr).toContain('lost.pdf: pdf-lib finds 4 pages');
    expect(JSON.parse(named.stdout)).toMatchObject({
      page_count: 4,
      warnings: [expect.stringMatching(/was repaired/)],
    });
    const piped = await execa(process.execPath, [PROGRAM, 'rotate', '-', '--angle', '90', '-v', '-o', 'out.pdf'], {
      cwd: here.path,
      env: CLEAN,
      extendEnv: false,
      input: lostTable(LOREM),
    });
    expect(piped.stderr).toContain('standard input: pdf-lib finds 4 pages');
    expect(here.list()).toEqual(['lost.pdf', 'out.pdf']);
  });

  it('are not asked for where a stream has a wrong length and all else stands where the file says', async () => {
    using here = folder();
    const wrong = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 99 99]>>',
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
      '<</Length 3>>stream\n0 0 9 9 re f 9 9 9 9 re f\nendstream',
    ]);
    writeFileSync(here.at('wrong.pdf'), wrong);
    const turned = await pdftool(['rotate', 'wrong.pdf', '--angle', '90', '-v', '-o', 'out.pdf'], { cwd: here.path });
    expect([turned.exitCode, turned.stderr]).toEqual([0, expect.stringMatching(/a stream had a wrong length/)]);
    expect(turned.stderr).not.toMatch(/pdf-lib|pdf\.js/);
    execFileSync('qpdf', ['--check', here.at('out.pdf')]);
    const pages = execFileSync('qpdf', ['--show-npages', here.at('out.pdf')], { encoding: 'utf8' });
    expect(pages.trim()).toBe('1');
  });

  it('are counted once where a file is given twice', async () => {
    using here = folder();
    const damaged = lostTable(LOREM);
    writeFileSync(here.at('lost.pdf'), damaged);
    writeFileSync(here.at('other.pdf'), damaged);
    const args = ['merge', '-v', '-o', 'out.pdf', 'lost.pdf', 'lost.pdf', 'other.pdf'];
    const { stderr } = await pdftool(args, { cwd: here.path });
    expect(stderr.match(/\w+\.pdf: pdf-lib finds 4 pages/g)).toEqual([
      'lost.pdf: pdf-lib finds 4 pages',
      'other.pdf: pdf-lib finds 4 pages',
    ]);
  });

  it('are found with the password that opens it', async () => {
    using here = folder();
    writeFileSync(here.at('plain.pdf'), LOREM);
    execFileSync('qpdf', ['--encrypt', 'geheim', 'owner', '256', '--', here.at('plain.pdf'), here.at('locked.pdf')]);
    writeFileSync(here.at('locked.pdf'), lostTable(readFileSync(here.at('locked.pdf'))));
    writeFileSync(here.at('password'), 'geheim\n');
    const args = ['extract-text', 'locked.pdf', '--password-file', 'password', '-v'];
    const { stderr, exitCode } = await pdftool(args, { cwd: here.path });
    expect(stderr).toContain('locked.pdf: pdf-lib finds 4 pages');
    expect(exitCode).toBe(0);
  });

  it('are refused where others find as many as each other, and not as we do', async () => {
    using here = folder();
    writeFileSync(here.at('disputed.pdf'), DISPUTED);
    for (const args of [['info'], ['split'], ['rotate', '--angle', '90'], ['to-json'], ['compress']]) {
      const { exitCode, stderr } = await pdftool([...args, 'disputed.pdf'], { cwd: here.path });
      expect(stderr).toContain(
        'disputed.pdf is damaged: 3 pages found in it; pdf-lib finds 2 pages; pdf.js finds 2 pages',
      );
      expect(exitCode).toBe(6);
      expect(here.list()).toEqual(['disputed.pdf']);
    }
  });

  it('are given with a warning where nobody else can say', async () => {
    using here = folder();
    writeFileSync(here.at('headless.pdf'), ONE_PAGE.slice(ONE_PAGE.indexOf('1 0 obj'), ONE_PAGE.indexOf('xref')));
    const { exitCode, stdout } = await pdftool(['merge', '--json', '-o', 'out.pdf', 'headless.pdf', 'headless.pdf'], {
      cwd: here.path,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      output: { pages: 2 },
      warnings: expect.arrayContaining([
        'headless.pdf: nobody else could say whether it has 1 page (pdf-lib cannot read it; pdf.js cannot read it)',
      ]),
    });
    expect(exitCode).toBe(0);
  });

  it('are given with a warning where the only other reader believes a root that says too few', async () => {
    using here = folder();
    // The type of a page is a reference, which pdf-lib does not follow.
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 1/MediaBox[0 0 99 99]>>',
      ...[1, 2].map(() => '<</Type 5 0 R/Parent 2 0 R/MediaBox[0 0 99 99]>>'),
      '/Page',
    ];
    writeFileSync(here.at('few.pdf'), pdfOf(objects));
    const { stdout, exitCode } = await pdftool(['info', '--json', 'few.pdf'], { cwd: here.path });
    expect(JSON.parse(stdout)).toMatchObject({
      page_count: 2,
      warnings: [expect.stringMatching(/pdf\.js finds 1 page/)],
    });
    expect(exitCode).toBe(0);
  });

  // A reader that is slow because others run beside it is no reader that has no answer.
  it('are the same alone and beside many others', async () => {
    using here = folder();
    const names = Array.from({ length: 12 }, (_, i) => `${i % 2 === 0 ? 'disputed' : 'lost'}-${i}.pdf`);
    for (const name of names) writeFileSync(here.at(name), name.startsWith('lost') ? lostTable(LOREM) : DISPUTED);
    const rotate = ['rotate', '--angle', '90', '--local', '--json', '-j', '12', '--out-dir', 'out'];
    const { exitCode, stdout } = await pdftool([...rotate, ...names], { cwd: here.path });
    expect(exitCode).toBe(22);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(
      records.map(({ input, ok, output }) => [input, ok, (output as { pages?: number } | undefined)?.pages]),
    ).toEqual(names.map((name) => (name.startsWith('lost') ? [name, true, 4] : [name, false, undefined])));
  });

  it('wait for no reader that does not end, and leave no process', async () => {
    using here = folder();
    writeFileSync(here.at('open.pdf'), ONE_PAGE.replace('xref\n', `${'9 0 obj << /A '.repeat(100_000)}\nxref\n`));
    const { stdout } = await pdftool(['info', '--json', 'open.pdf'], { cwd: here.path });
    const { page_count: count, warnings } = JSON.parse(stdout);
    expect(count).toBe(1);
    expect(warnings.join()).toMatch(/nobody else could say .*pdf-lib took longer than 3 s/);
    expect(orphans()).toEqual([]);
  });

  it('are asked for by the service as well', async () => {
    const rig = await startRig();
    try {
      const send = (bytes: Uint8Array) => rig.send('/api/v1/pdf-info', form({ 'damaged.pdf': bytes }));
      expect(await (await send(lostTable(LOREM))).json()).toMatchObject({ page_count: 4 });
      const refused = await send(Buffer.from(DISPUTED, 'latin1'));
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain('pdf-lib finds 2 pages; pdf.js finds 2 pages');
    } finally {
      await rig.close();
    }
  });
});

describe('a whole file', () => {
  it('asks nobody', async () => {
    using here = folder();
    writeFileSync(here.at('whole.pdf'), LOREM);
    const { stderr } = await pdftool(['merge', '-v', '-o', 'out.pdf', 'whole.pdf', 'whole.pdf'], { cwd: here.path });
    expect(stderr).not.toMatch(/pdf-lib|pdf\.js/);
  });
});

/** Processes of this checkout that count, and that no pdftool waits for: tests beside this one may have theirs. */
function orphans(): string[] {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return running.filter((pid) => {
    const parent = /^PPid:\s+(\d+)/m.exec(told(pid, 'status'))?.[1] ?? '';
    return commandOf(pid).includes(`${PROGRAM} __read`) && !commandOf(parent).includes(PROGRAM);
  });
}

function commandOf(pid: string): string {
  return told(pid, 'cmdline').replaceAll('\0', ' ');
}

function told(pid: string, name: string): string {
  try {
    return readFileSync(join('/proc', pid, name), 'latin1');
  } catch {
    return '';
  }
}
