import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from './pdftool.ts';

function pagesOf(path: string): number {
  return Number(execFileSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }));
}

function withPdfs(): Folder {
  const here = folder();
  makePdf(here.at('a.pdf'), { pages: 3 });
  makePdf(here.at('b.pdf'));
  return here;
}

describe('output names', () => {
  it.each([
    [['merge', 'a.pdf', 'b.pdf'], 'merged.pdf\n'],
    [['rotate', 'a.pdf', '--angle', '-90'], 'a-rotated.pdf\n'],
    [['rotate', '--angle=90', 'a.pdf', '-o', 'x/../y.pdf'], 'x/../y.pdf\n'],
    [['split', 'a.pdf'], 'a-pages/page-001.pdf\na-pages/page-002.pdf\na-pages/page-003.pdf\n'],
    [['split', 'a.pdf', '--at-pages', '1', '-o', 'two/'], /^two\/\S+\.pdf\ntwo\/\S+\.pdf\n$/],
    [['split', 'a.pdf', '-o', 'a.ZIP'], 'a.ZIP\n'],
  ])('%j', async (args, stdout) => {
    using here = withPdfs();
    mkdirSync(here.at('x'));
    const run = await pdftool(args, { cwd: here.path });
    expect(run.exitCode).toBe(0);
    if (typeof stdout === 'string') expect(run.stdout).toBe(stdout);
    else expect(run.stdout).toMatch(stdout);
    for (const path of run.stdout.trim().split('\n')) expect(existsSync(here.at(path))).toBe(true);
    expect(here.list().filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('are in the current folder, or in PDFTOOL_OUTPUT_DIR', async () => {
    using here = withPdfs();
    mkdirSync(here.at('in'));
    mkdirSync(here.at('out'));
    makePdf(here.at('in/c.pdf'));
    const at = { cwd: here.path };
    expect((await pdftool(['rotate', 'in/c.pdf', '--angle', '90'], at)).stdout).toBe('c-rotated.pdf\n');
    const env = { ...CLEAN, PDFTOOL_OUTPUT_DIR: 'out' };
    expect((await pdftool(['rotate', 'in/c.pdf', '--angle', '90'], { ...at, env })).stdout).toBe('out/c-rotated.pdf\n');
    const named = await pdftool(['rotate', 'in/c.pdf', '--angle', '90', '-o', 'd.pdf'], { ...at, env });
    expect(named.stdout).toBe('d.pdf\n');
  });

  it('follow the umask', async () => {
    using here = withPdfs();
    execFileSync('sh', ['-c', `umask 027; "${process.execPath}" "${PROGRAM}" merge a.pdf b.pdf -q`], {
      cwd: here.path,
    });
    expect(statSync(here.at('merged.pdf')).mode & 0o777).toBe(0o640);
  });
});

describe('split to a ZIP', () => {
  it('holds the same files as the folder, and is the same every time', async () => {
    using here = withPdfs();
    const at = { cwd: here.path };
    await pdftool(['split', 'a.pdf'], at);
    await pdftool(['split', 'a.pdf', '-o', 'one.zip'], at);
    await pdftool(['split', 'a.pdf', '-o', 'two.zip'], { ...at, env: { ...CLEAN, TZ: 'Asia/Tokyo' } });
    expect(readFileSync(here.at('one.zip')).equals(readFileSync(here.at('two.zip')))).toBe(true);
    execFileSync('unzip', ['-q', 'one.zip', '-d', 'unzipped'], at);
    for (const name of ['page-001.pdf', 'page-002.pdf', 'page-003.pdf']) {
      expect(readFileSync(here.at(`unzipped/${name}`)).equals(readFileSync(here.at(`a-pages/${name}`)))).toBe(true);
    }
  });

  it('goes through a pipe with -o -', async () => {
    using here = withPdfs();
    const line = `"${process.execPath}" "${PROGRAM}" split a.pdf -o - | cat > piped.zip`;
    execFileSync('sh', ['-c', line], { cwd: here.path, stdio: 'ignore' });
    const listed = execFileSync('python3', ['-m', 'zipfile', '-l', 'piped.zip'], { cwd: here.path, encoding: 'utf8' });
    expect(listed.match(/page-00\d\.pdf/g)).toHaveLength(3);
  });
});

describe('several files for one', () => {
  it('each have an output in --out-dir; one failure does not stop the others', async () => {
    using here = withPdfs();
    writeFileSync(here.at('bad.pdf'), '<html></html>');
    const args = ['rotate', 'a.pdf', 'bad.pdf', 'b.pdf', '--angle', '90', '--out-dir', 'new/out'];
    const run = await pdftool(args, { cwd: here.path });
    expect(run.exitCode).toBe(22);
    expect(run.stdout).toBe('new/out/a-rotated.pdf\nnew/out/b-rotated.pdf\n');
    expect(run.stderr).toContain('error: bad.pdf is not a PDF');
    expect(run.stderr).toContain('note: 1 of 3 files failed; the others are done');
    const again = await pdftool(args, { cwd: here.path });
    expect(again.stderr).toContain('note: 3 of 3 files failed\n');
    const json = await pdftool([...args, '--json', '-f'], { cwd: here.path });
    const lines = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { ok: true, input: 'a.pdf', output: { path: 'new/out/a-rotated.pdf' } },
      { ok: false, input: 'bad.pdf', error: { code: 'unprocessable', kind: 'not-pdf' } },
      { ok: true, input: 'b.pdf' },
    ]);
  });

  it('of the same name are refused before the first is touched', async () => {
    using here = withPdfs();
    mkdirSync(here.at('sub'));
    makePdf(here.at('sub/a.pdf'));
    const run = await pdftool(['rotate', 'a.pdf', 'sub/a.pdf', '--angle', '90', '--out-dir', 'out'], {
      cwd: here.path,
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('a.pdf and sub/a.pdf would both be written to a-rotated.pdf');
    expect(existsSync(here.at('out'))).toBe(false);
  });

  it('give a record each', async () => {
    using here = withPdfs();
    const run = await pdftool(['info', 'a.pdf', 'b.pdf', '-q'], { cwd: here.path });
    expect(run.stdout).toMatch(/^File {8}a\.pdf\nPage count {2}3\n.*File {8}b\.pdf\nPage count {2}1\n/s);
  });
});

describe('hundreds of files', () => {
  it('are merged and split with a hundred descriptors', () => {
    using here = withPdfs();
    writeFileSync(here.at('list.txt'), 'a.pdf\nb.pdf\n'.repeat(150));
    for (let page = 0; page < 150; page++) makePdf(here.at(`${page}.pdf`));
    const run = (args: string) =>
      execFileSync('bash', ['-c', `ulimit -n 100; "${process.execPath}" "${PROGRAM}" ${args} -q`], { cwd: here.path });
    run('merge @list.txt {0..149}.pdf');
    expect(pagesOf(here.at('merged.pdf'))).toBe(150 * 4 + 150);
    run('split merged.pdf');
    expect(readdirSync(here.at('merged-pages'))).toHaveLength(750);
  });
});

describe('options of every command', () => {
  it('may stand before and after its name', async () => {
    using here = withPdfs();
    const at = { cwd: here.path };
    const before = await pdftool(['-q', '--local', '-o', 'x.pdf', 'merge', 'a.pdf', 'b.pdf'], at);
    const after = await pdftool(['merge', 'a.pdf', '-o', 'y.pdf', 'b.pdf', '--local', '-q'], at);
    expect([before.stdout, after.stdout]).toEqual(['x.pdf\n', 'y.pdf\n']);
    expect(pagesOf(here.at('x.pdf'))).toBe(4);
    // A value that is the name of another command.
    expect((await pdftool(['-o', 'split', 'merge', 'a.pdf', 'b.pdf'], at)).stdout).toBe('split\n');
    // After -- nothing is an option.
    makePdf(here.at('--json'));
    expect((await pdftool(['info', '-q', '--', '--json'], at)).stdout).toMatch(/^Page count {2}1\n/);
  });

  it('--plan says what would be done, and does nothing', async () => {
    using here = withPdfs();
    const run = await pdftool(['merge', 'a.pdf', 'b.pdf', '--plan', '--local'], { cwd: here.path });
    expect(run.stdout).toMatch(
      /^Command {2}merge\nEngine {3}local\nReads {4}a\.pdf \(\d.*\)\nReads.*\nWrites {3}merged\.pdf\nSends {4}nothing\nCharges {2}0 credits \(the local engine costs nothing\)\n$/,
    );
    expect(here.list()).toEqual(['a.pdf', 'b.pdf']);
  });

  it('--remote without an address says what is missing', async () => {
    using here = withPdfs();
    const run = await pdftool(['merge', 'a.pdf', 'b.pdf', '--remote'], { cwd: here.path });
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('no base URL is configured')]);
    expect(here.list()).toEqual(['a.pdf', 'b.pdf']);
  });
});

describe('the project file', () => {
  it('may choose the engine, never a key or an address', async () => {
    using here = withPdfs();
    const at = { cwd: here.path };
    writeFileSync(here.at('.pdftool.json'), '{"engine":"local"}');
    expect((await pdftool(['info', 'a.pdf'], at)).stderr).toBe('');
    writeFileSync(here.at('.pdftool.json'), '{"engine":"local","base_url":"https://evil.example"}');
    const refused = await pdftool(['info', 'a.pdf'], at);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('.pdftool.json holds base_url, which a project file may not');
    writeFileSync(here.at('.pdftool.json'), '{"engine":');
    expect((await pdftool(['info', 'a.pdf'], at)).stderr).toContain('.pdftool.json is no valid JSON');
    expect((await pdftool(['--help'], at)).exitCode).toBe(0);
  });
});

describe('start', () => {
  it('prints its version with nothing of dist loaded', () => {
    using here = folder();
    const trace = `require('module')._load=(load=>function(id,...rest){if(/dist/.test(id))throw Error(id);return load(id,...rest)})(require('module')._load)`;
    writeFileSync(here.at('trace.cjs'), trace);
    const { version } = JSON.parse(readFileSync(`${import.meta.dirname}/../../package.json`, 'utf8'));
    const run = (flag: string) =>
      execFileSync(process.execPath, ['-r', here.at('trace.cjs'), PROGRAM, flag], { encoding: 'utf8' });
    expect(run('--version')).toBe(`${version}\n`);
    expect(run('-V')).toBe(`${version}\n`);
  });

  it.each(['18.20.4', '20.18.3'])('Node %s is told to be too old', async (version) => {
    using here = folder();
    writeFileSync(here.at('old.cjs'), `Object.defineProperty(process,'versions',{value:{node:'${version}'}})`);
    const env = { ...CLEAN, NODE_OPTIONS: `--require ${here.at('old.cjs')}` };
    const run = await pdftool(['merge', 'a.pdf'], { env });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(new RegExp(`^pdftool needs Node.js 20.19 or newer; this is ${version}\\.\n`));
  });

  it('without a command it shows help', async () => {
    const run = await pdftool([]);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/^Usage: pdftool COMMAND[\s\S]* merge {2,}Join PDFs/);
    expect((await pdftool(['help', 'split'])).stdout).toMatch(/^Usage: pdftool split FILE[\s\S]*--at-pages <pages>/);
  });
});
