// Batches on the built program: several files at once, one failure among them, what exists, a stop in the middle, a budget.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_PATH, accountWith, answer, startServer } from '../faults/scripted-server.ts';
import { makePdf } from './make-pdf.ts';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from './pdftool.ts';

function withPdfs(count: number): Folder {
  const here = folder();
  for (let index = 1; index <= count; index++) makePdf(here.at(`f${index}.pdf`), { pages: index });
  return here;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index + 1}.pdf`);
const records = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Processes whose current folder it is; none where the system does not say. */
function processesIn(path: string): string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`) === path;
    } catch {
      return false;
    }
  });
}

it('leaves no folder behind that it made and put nothing into', async () => {
  using here = withPdfs(1);
  writeFileSync(here.at('no.pdf'), 'not a PDF');
  const where = { cwd: here.path };
  const failed = await pdftool(['rotate', 'no.pdf', '--angle', '90', '--out-dir', 'out'], where);
  expect(failed.exitCode).toBe(6);
  expect(here.list()).toEqual(['f1.pdf', 'no.pdf']);
  const some = await pdftool(['rotate', 'no.pdf', 'f1.pdf', '--angle', '90', '--out-dir', 'out'], where);
  expect(some.exitCode).toBe(22);
  expect(readdirSync(here.at('out'))).toEqual(['f1-rotated.pdf']);
});

describe.each(['1', '3'])('-j %s', (jobs) => {
  it('tries every file, prints in their order and ends with 22 and a list', async () => {
    using here = withPdfs(11);
    writeFileSync(here.at('f5.pdf'), 'not a PDF');
    const args = [
      'rotate',
      ...names(11).reverse(),
      '--sort',
      'natural',
      '--angle',
      '90',
      '-j',
      jobs,
      '--out-dir',
      'out',
    ];
    const run = await pdftool(args, { cwd: here.path });
    const kept = names(11).filter((name) => name !== 'f5.pdf');
    expect(run.exitCode).toBe(22);
    expect(run.stdout).toBe(kept.map((name) => `out/${name.replace('.pdf', '-rotated.pdf')}\n`).join(''));
    expect(run.stderr).toMatch(/error: f5\.pdf is not a PDF/);
    expect(run.stderr).toContain('note: 1 of 11 files failed; the others are done\nnote: failed: f5.pdf\n');
    for (const name of kept) {
      const pages = execFileSync('qpdf', ['--show-npages', here.at(`out/${name.replace('.pdf', '-rotated.pdf')}`)]);
      expect(Number(pages)).toBe(Number(/\d+/.exec(name)?.[0]));
    }
  });

  it('--json is one value a line; --skip-existing leaves alone what is there', async () => {
    using here = withPdfs(4);
    const args = ['rotate', ...names(4), '--angle', '90', '-j', jobs, '--out-dir', 'out', '--json'];
    const first = await pdftool(
      args.filter((word) => word !== 'f3.pdf'),
      { cwd: here.path },
    );
    expect(records(first.stdout).map(({ input }) => input)).toEqual(['f1.pdf', 'f2.pdf', 'f4.pdf']);
    const before = readFileSync(here.at('out/f1-rotated.pdf'));
    const again = await pdftool([...args, '--skip-existing'], { cwd: here.path });
    expect(again.exitCode).toBe(0);
    expect(records(again.stdout)).toMatchObject([
      { ok: true, input: 'f1.pdf', skipped: true, output: { path: 'out/f1-rotated.pdf' } },
      { ok: true, input: 'f2.pdf', skipped: true },
      { ok: true, input: 'f3.pdf', output: { path: 'out/f3-rotated.pdf', pages: 3 } },
      { ok: true, input: 'f4.pdf', skipped: true },
    ]);
    expect(again.stderr).toContain('note: 3 files left alone: the output exists');
    expect(readFileSync(here.at('out/f1-rotated.pdf')).equals(before)).toBe(true);
    const refused = await pdftool(args, { cwd: here.path });
    expect([refused.exitCode, records(refused.stdout).map(({ error }) => error?.code)]).toEqual([
      22,
      Array(4).fill('output_exists'),
    ]);
  });

  it('a signal ends it, with no partial output and no process left', async () => {
    using here = folder();
    for (const name of names(6)) makePdf(here.at(name), { pages: 40, imageBytes: 400_000 });
    const args = [PROGRAM, 'rotate', ...names(6), '--angle', '90', '-j', jobs, '--out-dir', 'out'];
    const child = spawn(process.execPath, args, { cwd: here.path, env: CLEAN, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect([143, 0]).toContain(code);
    expect(processesIn(here.path)).toEqual([]);
    for (const name of readdirSync(here.at('out'))) {
      expect(name).toMatch(/^f\d-rotated\.pdf$/);
      execFileSync('qpdf', ['--check', here.at(`out/${name}`)], { stdio: 'ignore' });
    }
  });
});

it('one file may be skipped as well', async () => {
  using here = withPdfs(1);
  const args = ['rotate', 'f1.pdf', '--angle', '90', '--skip-existing'];
  expect((await pdftool(args, { cwd: here.path })).stdout).toBe('f1-rotated.pdf\n');
  const again = await pdftool(args, { cwd: here.path });
  expect([again.exitCode, again.stdout]).toEqual([0, '']);
  expect(again.stderr).toContain('f1-rotated.pdf exists; f1.pdf is left alone');
  const missing = await pdftool(['rotate', 'nope.pdf', '--angle', '90', '--skip-existing'], { cwd: here.path });
  expect(missing.exitCode).toBe(6);
});

it('standard input is one of them', async () => {
  using here = withPdfs(2);
  const line = `"${process.execPath}" "${PROGRAM}" rotate - f2.pdf --angle 90 -j 2 --out-dir out -q < f1.pdf`;
  const out = execFileSync('sh', ['-c', line], { cwd: here.path, encoding: 'utf8', env: CLEAN });
  expect(out).toBe('out/stdin-rotated.pdf\nout/f2-rotated.pdf\n');
});

it.each([
  [['-j', '0'], '-j: expected a whole number from 1 to 64, found 0'],
  [['-j', 'many'], '-j: expected a whole number from 1 to 64, found many'],
  [['--skip-existing', '--force'], '--skip-existing and --force exclude each other'],
  [['-j', '2'], '-j needs --out-dir'],
])('%j is refused', async (args, message) => {
  using here = withPdfs(2);
  const run = await pdftool(['rotate', 'f1.pdf', 'f2.pdf', '--angle', '90', ...args], { cwd: here.path });
  expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining(message)]);
});

it('on the service they share one budget', async () => {
  using here = withPdfs(5);
  const pdf = answer(200, '%PDF-1.7 x %%EOF', { 'content-type': 'application/pdf', 'x-credits-used': '1' });
  const server = await startServer({ [ACCOUNT_PATH]: [accountWith(9)], 'POST /api/v1/rotate': [pdf] });
  const env = { ...CLEAN, PDFTOOL_API_KEY: 'sk_test_x', PDFTOOL_BASE_URL: server.url };
  const args = ['rotate', ...names(5), '--angle', '90', '-j', '3', '--out-dir', 'out', '--max-credits', '2', '--json'];
  const run = await pdftool(args, { cwd: here.path, env });
  await server.close();
  expect([run.exitCode, server.count('POST /api/v1/rotate')]).toEqual([22, 2]);
  expect(records(run.stdout).filter(({ ok }) => ok)).toHaveLength(2);
  expect(records(run.stdout).flatMap(({ error }) => error?.code ?? [])).toEqual(Array(3).fill('over_max_credits'));
});
