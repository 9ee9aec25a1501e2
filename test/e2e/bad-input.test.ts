// What happens to input that cannot work: exit code, message, and nothing left behind (CLI.md sections 4 and 5).
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pdfOf } from '../structure/run.ts';
import { makePdf } from './make-pdf.ts';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from './pdftool.ts';

/** A folder with the inputs of the cases below. */
function inputs(): Folder {
  const here = folder();
  makePdf(here.at('a.pdf'), { pages: 2 });
  makePdf(here.at('b.pdf'));
  writeFileSync(here.at('empty.pdf'), '');
  writeFileSync(here.at('page.pdf'), '<!DOCTYPE html><html><body>404</body></html>');
  writeFileSync(here.at('there.pdf'), 'mine');
  writeFileSync(here.at('many.txt'), Array.from({ length: 50 }, (_, at) => `x${at + 1}\n`).join(''));
  mkdirSync(here.at('folder'));
  symlinkSync('loop.pdf', here.at('loop.pdf'));
  return here;
}

const cases: [why: string, args: string[], exit: number, message: RegExp][] = [
  ['missing', ['merge', 'a.pdf', 'nope.pdf'], 6, /nope\.pdf: there is no such file/],
  ['under a file', ['merge', 'a.pdf', 'b.pdf/c.pdf'], 6, /b\.pdf\/c\.pdf: there is no such file/],
  ['folder', ['merge', 'a.pdf', 'folder'], 6, /folder is a folder, expected a file/],
  ['empty', ['merge', 'a.pdf', 'empty.pdf'], 6, /empty\.pdf is empty: 0 bytes/],
  ['device', ['merge', 'a.pdf', '/dev/null'], 6, /\/dev\/null is empty/],
  ['HTML named .pdf', ['merge', 'a.pdf', 'page.pdf'], 6, /page\.pdf is not a PDF: it looks like HTML/],
  ['too few files', ['merge', 'a.pdf'], 2, /merge takes at least 2 files, found 1/],
  ['no file', ['merge'], 2, /merge takes at least 2 files, found none/],
  ['too many files', ['rotate', 'a.pdf', 'b.pdf', '--angle', '90'], 2, /rotate takes one file.*--out-dir/],
  ['output exists', ['merge', 'a.pdf', 'b.pdf', '-o', 'there.pdf'], 10, /there\.pdf exists already[\s\S]*--force/],
  ['output equals input', ['merge', 'a.pdf', 'b.pdf', '-o', 'b.pdf'], 10, /b\.pdf is an input and the output/],
  ['output is a folder', ['merge', 'a.pdf', 'b.pdf', '-o', 'folder'], 2, /folder is a folder, expected a file name/],
  ['output names a folder', ['merge', 'a.pdf', 'b.pdf', '-o', 'new/'], 2, /new\/ is a folder, expected a file name/],
  ['no folder for it', ['merge', 'a.pdf', 'b.pdf', '-o', 'no/x.pdf'], 2, /no\/x\.pdf cannot be written: its folder/],
  ['disk full', ['merge', 'a.pdf', 'b.pdf', '-o', '/dev/full'], 1, /\/dev\/full cannot be written: no space left/],
  ['stdin twice', ['merge', '-', '-'], 2, /standard input \(-\) was named twice/],
  ['stdin empty', ['merge', '-', 'a.pdf'], 6, /standard input is empty/],
  ['list missing', ['merge', '@nope.txt'], 6, /nope\.txt: there is no such file[\s\S]*\.\/@nope\.txt/],
  ['list is a PDF', ['merge', '@a.pdf', 'b.pdf'], 6, /a\.pdf is no list of files[\s\S]*Leave the @ out/],
  [
    'many missing',
    ['merge', '@many.txt'],
    6,
    /x20: there is no such file \(many\.txt, line 20\)\n {7}and 30 more of 50\n/,
  ],
  ['an empty word', ['merge', 'a.pdf', ''], 2, /expected the name of a file, found an empty word/],
  ['a link to itself', ['merge', 'a.pdf', 'loop.pdf'], 6, /loop\.pdf cannot be read: its links lead in a circle/],
  ['to a link to itself', ['merge', 'a.pdf', 'b.pdf', '-o', 'loop.pdf'], 2, /loop\.pdf cannot be written: its links/],
  ['a dash before it', ['merge', '-a.pdf', 'b.pdf'], 2, /unknown option '-a\.pdf'[\s\S]*is written \.\/-a\.pdf/],
  ['unknown command', ['mrge', 'a.pdf'], 2, /unknown command 'mrge'[\s\S]*Did you mean merge\?/],
  ['options alone', ['--local'], 2, /error: expected a command/],
  ['unknown option', ['merge', '--frce', 'a.pdf', 'b.pdf'], 2, /unknown option '--frce'[\s\S]*Did you mean --force\?/],
  ['wrong choice', ['rotate', 'a.pdf', '--angle', '45'], 2, /--angle: expected one of 90, 180, 270, .* found 45/],
  ['two engines', ['info', 'a.pdf', '--local', '--remote'], 2, /--local and --remote exclude each other/],
  ['exclusive', ['split', 'a.pdf', '--at-pages', '1', '--ranges', '1'], 2, /--at-pages and --ranges exclude/],
  ['disabled', ['translate-and-speak', 'a.pdf', '--target-language', 'hi'], 24, /disabled/],
];

describe('bad input', () => {
  it.each(cases)('%s', async (_why, args, exit, message) => {
    using here = inputs();
    const before = here.list();
    const { exitCode, stdout, stderr } = await pdftool(args, { cwd: here.path });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(exit);
    expect(stdout).toBe('');
    expect(here.list()).toEqual(before);
    expect(readFileSync(here.at('there.pdf'), 'utf8')).toBe('mine');
  });

  it.each([
    ['strings', '9 0 obj (', 200_000],
    ['strings in one window', '9 0 obj (', 28_000],
    ['trailers', 'trailer[', 200_000],
  ])('made of %s without an end is refused in time', async (_what, text, times) => {
    using here = inputs();
    writeFileSync(here.at('open.pdf'), `%PDF-1.4\n1 0 obj null endobj\n${text.repeat(times)}`);
    const { exitCode, stdout } = await pdftool(['info', '--json', 'open.pdf'], { cwd: here.path });
    const message = expect.stringMatching(/open\.pdf has too many (objects|trailers) that do not end/);
    expect(JSON.parse(stdout).error).toMatchObject({ kind: 'limit', message });
    expect(exitCode).toBe(6);
  });

  it('with more pages than files can be written is refused before one is', async () => {
    using here = inputs();
    const kids = '3 0 R '.repeat(20_001);
    const pages = `<</Type/Pages/Kids[${kids}]/Count 20001/MediaBox[0 0 9 9]>>`;
    writeFileSync(here.at('many.pdf'), pdfOf(['<</Type/Catalog/Pages 2 0 R>>', pages, '<</Type/Page/Parent 2 0 R>>']));
    const before = here.list();
    const { exitCode, stderr } = await pdftool(['split', 'many.pdf'], { cwd: here.path });
    expect(stderr).toMatch(/many\.pdf would become 20001 files: at most 20000 [\s\S]*--at-pages/);
    expect(exitCode).toBe(6);
    expect(here.list()).toEqual(before);
    const halves = await pdftool(['split', 'many.pdf', '--at-pages', '20000', '-o', 'out'], { cwd: here.path });
    expect(halves.exitCode).toBe(0);
  });

  it('says all that is wrong at once, and the next step', async () => {
    const { stderr } = await pdftool(['rotate', '--angle', 'x', '--sort', 'y']);
    expect(stderr).toBe(
      'error: --sort: expected given or natural, found y\n' +
        '       rotate takes a file, found none\n' +
        '       --angle: expected one of 90, 180, 270, -90, -180, -270, found x\n' +
        '       Run pdftool rotate --help.\n',
    );
  });

  it('names every file that cannot be read', async () => {
    using here = inputs();
    const { exitCode, stderr } = await pdftool(['merge', 'nope.pdf', 'empty.pdf', 'folder'], { cwd: here.path });
    expect(exitCode).toBe(6);
    for (const name of ['nope.pdf', 'empty.pdf', 'folder']) expect(stderr).toContain(`${name}`);
  });

  it('keeps control characters of a file name away from the terminal', async () => {
    const { stderr, stdout } = await pdftool(['info', '\u001b[31mred\u0007\u202e.pdf', '--json']);
    expect(stderr).toContain('\\x1b[31mred\\x07\\u{202e}.pdf: there is no such file');
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'not_found', charged: 'no' } });
  });
});

describe('an unreadable file', () => {
  // Root reads everything, so the program runs as somebody else there.
  const isRoot = process.getuid?.() === 0;
  const canDrop = isRoot && spawnSync('setpriv', ['--version']).status === 0;

  it.skipIf(isRoot && !canDrop)('is refused with its name (skipped for root without setpriv)', () => {
    using here = folder();
    chmodSync(here.path, 0o755);
    makePdf(here.at('a.pdf'));
    makePdf(here.at('secret.pdf'));
    chmodSync(here.at('secret.pdf'), 0o000);
    const [command, args] = isRoot
      ? ['setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, ...programFor(here)]]
      : [process.execPath, [PROGRAM]];
    const run = spawnSync(command, [...args, 'merge', 'a.pdf', 'secret.pdf', '-o', '-'], {
      cwd: here.path,
      encoding: 'utf8',
      env: CLEAN,
    });
    expect(run.stderr).toContain('secret.pdf cannot be read: permission denied');
    expect(run.status).toBe(6);
  });

  /** A copy that anybody may read: the repository may lie in root's own folder. */
  function programFor(here: Folder): string[] {
    for (const part of ['bin', 'dist', 'package.json']) {
      cpSync(`${import.meta.dirname}/../../${part}`, here.at(part), { recursive: true });
    }
    execFileSync('chmod', ['-R', 'a+rX', here.at('bin'), here.at('dist'), here.at('package.json')]);
    return [here.at('bin/pdftool.js')];
  }
});

describe('a full disk', () => {
  const mounted = mountSmall();

  it.skipIf(mounted === undefined)(
    'leaves nothing and says which file (skipped where no tmpfs may be mounted)',
    async () => {
      if (mounted === undefined) return;
      using here = folder();
      const big = makePdf(here.at('big.pdf'), { pages: 4, imageBytes: 200_000 });
      try {
        const { exitCode, stderr } = await pdftool(['merge', big, big, '-o', `${mounted.path}/out.pdf`]);
        expect(stderr).toMatch(/out\.pdf cannot be written: no space left on the disk/);
        expect(exitCode).toBe(1);
        expect(mounted.list()).toEqual([]);
        const split = await pdftool(['split', big, '-o', `${mounted.path}/pages`]);
        expect(split.exitCode).toBe(1);
        expect(mounted.list()).toEqual([]);
      } finally {
        spawnSync('umount', [mounted.path]);
        mounted[Symbol.dispose]();
      }
    },
  );

  /** A file system of 512 KiB; undefined where mounting is not permitted. */
  function mountSmall(): Folder | undefined {
    const here = folder();
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', here.path]);
    if (status === 0) return here;
    here[Symbol.dispose]();
    return undefined;
  }
});

describe('a place that is gone', () => {
  it('for temporary files is named as such', async () => {
    using here = inputs();
    const env = { ...CLEAN, TMPDIR: here.at('nowhere') };
    const { exitCode, stderr } = await pdftool(['merge', 'a.pdf', 'b.pdf', '-o', '-'], { cwd: here.path, env });
    expect(stderr).toMatch(/nowhere cannot be written: its folder does not exist\n.*another folder in TMPDIR/);
    expect(exitCode).toBe(2);
  });

  it.skipIf(process.platform === 'win32')('is no defect where it is the current folder', () => {
    using here = inputs();
    const line = 'mkdir gone && cd gone && rmdir ../gone && "$0" "$1" merge "$2" "$2"';
    const args = ['-c', line, process.execPath, PROGRAM, here.at('a.pdf')];
    const run = spawnSync('sh', args, { cwd: here.path, env: CLEAN, encoding: 'utf8' });
    expect(run.stderr).toContain('error: the current folder does not exist any more');
    expect(run.status).toBe(2);
  });
});

describe('--force', () => {
  it('replaces an input when the new file is complete, and keeps its mode', async () => {
    using here = inputs();
    chmodSync(here.at('a.pdf'), 0o600);
    const { exitCode } = await pdftool(['merge', 'a.pdf', 'b.pdf', '-o', 'a.pdf', '-f'], { cwd: here.path });
    expect(exitCode).toBe(0);
    expect(statSync(here.at('a.pdf')).mode & 0o777).toBe(0o600);
    expect(execFileSync('qpdf', ['--show-npages', here.at('a.pdf')], { encoding: 'utf8' })).toBe('3\n');
  });

  it('keeps the link and replaces what it points to', async () => {
    using here = inputs();
    symlinkSync('there.pdf', here.at('link.pdf'));
    const refused = await pdftool(['merge', 'a.pdf', 'b.pdf', '-o', 'link.pdf'], { cwd: here.path });
    expect(refused.exitCode).toBe(10);
    const { exitCode } = await pdftool(['merge', 'a.pdf', 'b.pdf', '-o', 'link.pdf', '--force'], { cwd: here.path });
    expect(exitCode).toBe(0);
    expect(execFileSync('qpdf', ['--show-npages', here.at('there.pdf')], { encoding: 'utf8' })).toBe('3\n');
    expect(existsSync(here.at('link.pdf'))).toBe(true);
  });

  it('replaces a link that leads nowhere by a file that is not for everyone to write', async () => {
    using here = inputs();
    symlinkSync('gone.pdf', here.at('link.pdf'));
    const { exitCode } = await pdftool(['merge', 'a.pdf', 'b.pdf', '-o', 'link.pdf', '--force'], { cwd: here.path });
    expect(exitCode).toBe(0);
    expect(statSync(here.at('link.pdf')).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(here.list()).not.toContain('gone.pdf');
  });

  it('replaces pictures of an earlier run, and no photographs', async () => {
    using here = inputs();
    const drawn = () => pdftool(['to-images', 'a.pdf', '--dpi', '20', '-o', 'drawn', '-f'], { cwd: here.path });
    expect((await drawn()).exitCode).toBe(0);
    expect((await drawn()).exitCode).toBe(0);
    writeFileSync(here.at('drawn/img-20240101.jpg'), 'mine');
    const spared = await drawn();
    expect(spared.stderr).toContain('drawn holds img-20240101.jpg');
    expect(spared.exitCode).toBe(10);
  });

  it('is not needed for a folder that is empty', async () => {
    using here = inputs();
    mkdirSync(here.at('out'), { mode: 0o700 });
    const { stdout, exitCode } = await pdftool(['split', 'a.pdf', '--ranges', '1-2', '-o', 'out/'], { cwd: here.path });
    expect([stdout, exitCode]).toEqual(['out/pages-001-002.pdf\n', 0]);
    expect(statSync(here.at('out')).mode & 0o777).toBe(0o700);
  });

  it('replaces a folder of an earlier split, and never one with other files', async () => {
    using here = inputs();
    await pdftool(['split', 'a.pdf'], { cwd: here.path });
    expect((await pdftool(['split', 'a.pdf'], { cwd: here.path })).exitCode).toBe(10);
    const again = await pdftool(['split', 'a.pdf', '-f', '--ranges', '1-2'], { cwd: here.path });
    expect(again.stdout).toBe('a-pages/pages-001-002.pdf\n');
    chmodSync(here.at('a-pages'), 0o700);
    expect((await pdftool(['split', 'a.pdf', '-f'], { cwd: here.path })).exitCode).toBe(0);
    expect(statSync(here.at('a-pages')).mode & 0o777).toBe(0o700);
    writeFileSync(here.at('a-pages/notes.txt'), 'mine');
    const spared = await pdftool(['split', 'a.pdf', '-f'], { cwd: here.path });
    expect(spared.stderr).toContain('a-pages holds notes.txt');
    expect(spared.exitCode).toBe(10);
    expect(readFileSync(here.at('a-pages/notes.txt'), 'utf8')).toBe('mine');
    expect((await pdftool(['split', 'a.pdf', '-f', '-o', '.'], { cwd: here.path })).exitCode).toBe(10);
  });
});
