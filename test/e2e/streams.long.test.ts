import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { CLEAN, folder, PROGRAM, pdftool } from './pdftool.ts';

const MIB = 1024 * 1024;

/** Runs a shell line in which $pdftool is the program. */
function shell(line: string, cwd: string) {
  const env = { ...CLEAN, pdftool: `${process.execPath} ${PROGRAM}` };
  return execa('bash', ['-c', line], { cwd, env, extendEnv: false, reject: false, stripFinalNewline: false });
}

describe('standard output', () => {
  it('gets 3 MiB whole through a pipe that is read slowly', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 3, imageBytes: MIB });
    const run = await shell(
      '$pdftool merge a.pdf a.pdf -o - | (sleep 0.5; cat) > out.pdf; echo $PIPESTATUS',
      here.path,
    );
    expect(run.stdout).toBe('0\n');
    await pdftool(['merge', 'a.pdf', 'a.pdf'], { cwd: here.path });
    const piped = readFileSync(here.at('out.pdf'));
    expect(piped.length).toBeGreaterThan(6 * MIB);
    expect(piped.equals(readFileSync(here.at('merged.pdf')))).toBe(true);
  });

  it('gets bytes whole through a pipe that does not block', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 3, imageBytes: MIB });
    // The reader makes the pipe non-blocking, as a Node parent does: writes then end in EAGAIN.
    const reader = 'import os,sys,time;os.set_blocking(1,False);os.execvp(sys.argv[1],sys.argv[1:])';
    const run = await shell(
      `python3 -c '${reader}' $pdftool merge a.pdf a.pdf -o - -q | (sleep 0.3; cat) | wc -c`,
      here.path,
    );
    expect(Number(run.stdout)).toBeGreaterThan(6 * MIB);
    expect(run.stderr).toBe('');
  });

  it.each([
    ['bytes', 'merge a.pdf a.pdf -o -'],
    ['a path each', 'split many.pdf'],
    ['help', 'merge --help'],
  ])('ends quietly when the reader goes away: %s', async (_what, args) => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 2, imageBytes: MIB });
    makePdf(here.at('many.pdf'), { pages: 20 });
    const run = await shell(`$pdftool ${args} -q | head -c 1 | wc -c; echo $PIPESTATUS`, here.path);
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe('1\n0\n');
  });

  it('that cannot be written is a failure', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const run = await shell('$pdftool info a.pdf > /dev/full', here.path);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('standard output cannot be written: no space left');
  });

  it('carries the result and nothing else', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const run = await pdftool(['merge', 'a.pdf', 'a.pdf', '-v'], { cwd: here.path });
    expect(run.stdout).toBe('merged.pdf\n');
    expect(run.stderr).toContain('note: running on this machine: no API key is set\n');
  });

  it('has no note with --quiet, nor where the engine was chosen', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const at = { cwd: here.path };
    expect((await pdftool(['info', 'a.pdf', '-q'], at)).stderr).toBe('');
    expect((await pdftool(['info', 'a.pdf', '--local'], at)).stderr).toBe('');
    expect((await pdftool(['info', 'a.pdf'], { ...at, env: { ...CLEAN, PDFTOOL_ENGINE: 'local' } })).stderr).toBe('');
    const noUrl = await pdftool(['info', 'a.pdf'], { ...at, env: { ...CLEAN, PDFTOOL_API_KEY: 'sk_test_x' } });
    expect(noUrl.stderr).toBe('note: running on this machine: no base URL is set\n');
  });
});

describe('standard input', () => {
  it('is a file where - is given', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 2 });
    makePdf(here.at('b.pdf'));
    await shell('cat a.pdf | $pdftool merge - b.pdf -o piped.pdf', here.path);
    await shell('$pdftool merge - b.pdf -o redirected.pdf < a.pdf', here.path);
    await pdftool(['merge', 'a.pdf', 'b.pdf', '-o', 'named.pdf'], { cwd: here.path });
    const [piped, redirected, named] = ['piped', 'redirected', 'named'].map((name) =>
      readFileSync(here.at(`${name}.pdf`)),
    );
    expect(piped?.equals(named ?? Buffer.alloc(0))).toBe(true);
    expect(redirected?.equals(named ?? Buffer.alloc(0))).toBe(true);
  });

  it('names its output stdin', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const run = await shell('$pdftool rotate - --angle 90 < a.pdf', here.path);
    expect(run.stdout).toBe('stdin-rotated.pdf\n');
  });

  it('may be a process substitution', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const run = await shell('$pdftool merge <(cat a.pdf) <(cat a.pdf) -q', here.path);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'merged.pdf\n', stderr: '' });
  });

  it('that is closed, or open and silent, keeps nobody waiting', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const closed = await shell('$pdftool merge a.pdf a.pdf -q <&- && $pdftool info - <&-', here.path);
    expect(closed.stdout).toBe('merged.pdf\n');
    expect(closed.stderr).toContain('standard input is empty');
    const silent = execa(process.execPath, [PROGRAM, 'info', 'a.pdf'], {
      cwd: here.path,
      stdin: 'pipe',
      timeout: 20_000,
    });
    expect((await silent).exitCode).toBe(0);
  });
});

describe('@list', () => {
  it('names files, one a line', async () => {
    using here = folder();
    for (const name of ['1', '2', '10', 'a b']) makePdf(here.at(`${name}.pdf`));
    writeFileSync(here.at('list.txt'), '\ufeff10.pdf\r\n\r\na b.pdf\n');
    const at = { cwd: here.path };
    const listed = await pdftool(['merge', '1.pdf', '@list.txt', '--plan', '--json'], at);
    expect(names(listed.stdout)).toEqual(['1.pdf', '10.pdf', 'a b.pdf']);
    const sorted = await pdftool(['merge', '10.pdf', '2.pdf', '1.pdf', '--sort', 'natural', '--plan', '--json'], at);
    expect(names(sorted.stdout)).toEqual(['1.pdf', '2.pdf', '10.pdf']);
  });

  it('is read from standard input and from a pipe', async () => {
    using here = folder();
    for (const name of ['1', '2']) makePdf(here.at(`${name}.pdf`));
    const run = await shell("printf '1.pdf\\n2.pdf\\n' | $pdftool merge @- --plan --json", here.path);
    expect(names(run.stdout)).toEqual(['1.pdf', '2.pdf']);
    const twice = await shell("printf '1.pdf\\n' | $pdftool merge @- - -o out.pdf", here.path);
    expect([twice.exitCode, twice.stderr]).toEqual([2, expect.stringContaining('standard input (-) was named twice')]);
    const pipe = await shell(
      "mkfifo names && (printf '2.pdf\\n1.pdf\\n' > names &) && $pdftool merge @names --plan --json",
      here.path,
    );
    expect(names(pipe.stdout)).toEqual(['2.pdf', '1.pdf']);
  });

  it.each([
    ['merge @/dev/zero', /^error: \/dev\/zero is a device, expected a file or a pipe\n/],
    ['merge @- < /dev/zero', /^error: standard input is a device, expected a file or a pipe\n/],
    ['info /dev/zero', /^error: \/dev\/zero is a device, expected a file or a pipe\n/],
    ['info - < /dev/zero', /^error: standard input is a device, expected a file or a pipe\n/],
    ['bookmarks set 1.pdf --bookmarks @/dev/zero', /^error: \/dev\/zero is a device, expected a file or a pipe\n/],
    ['merge @<(cat /dev/zero)', /^error: \/dev\/fd\/\d+ is too large: at most 8388608 bytes\n/],
  ])('without an end is refused: %s', async (line, says) => {
    using here = folder();
    makePdf(here.at('1.pdf'));
    const run = await shell(`$pdftool ${line}`, here.path);
    expect([run.exitCode, run.stderr]).toEqual([6, expect.stringMatching(says)]);
  });

  it('ends at SIGTERM while it waits for a pipe', async () => {
    using here = folder();
    const run = await shell('mkfifo silent; timeout -k 9 2 $pdftool merge @silent', here.path);
    // 137: it had to be killed.
    expect(run.exitCode, run.stderr).toBe(124);
  });

  function names(json: string): string[] {
    const { plan }: { plan: { inputs: { name: string }[] } } = JSON.parse(json);
    return plan.inputs.map((input) => input.name);
  }
});

describe('--json', () => {
  it('tells what was written', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 2 });
    const run = await pdftool(['merge', 'a.pdf', 'a.pdf', '--json', '--local'], { cwd: here.path });
    const bytes = readFileSync(here.at('merged.pdf'));
    expect(JSON.parse(run.stdout)).toEqual({
      ok: true,
      operation: 'merge',
      engine: 'local',
      output: {
        path: 'merged.pdf',
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        pages: 4,
      },
    });
    expect(run.stderr).toBe('');
  });

  it('tells of every file of a folder', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 2 });
    const run = await pdftool(['--json', 'split', 'a.pdf', '-o', 'out'], { cwd: here.path });
    const { output } = JSON.parse(run.stdout);
    expect(output).toMatchObject({
      path: 'out',
      pages: 2,
      files: [{ path: 'out/page-001.pdf', pages: 1 }, { pages: 1 }],
    });
    for (const file of output.files) {
      const bytes = readFileSync(here.at(file.path));
      expect(file.bytes).toBe(bytes.length);
      expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('tells of a failure on standard output, also before the line is understood', async () => {
    using here = folder();
    const missing = await pdftool(['info', 'nope.pdf', '--json'], { cwd: here.path });
    expect(missing.exitCode).toBe(6);
    expect(JSON.parse(missing.stdout)).toEqual({
      ok: false,
      error: {
        code: 'not_found',
        message: 'nope.pdf: there is no such file',
        hint: 'Check the name and the folder.',
        charged: 'no',
      },
      // As in a batch: records have one shape, however many files a pattern of the shell found.
      input: 'nope.pdf',
    });
    const usage = await pdftool(['--json', 'merge', '--nope'], { cwd: here.path });
    expect(JSON.parse(usage.stdout)).toMatchObject({ ok: false, error: { code: 'usage', charged: 'no' } });
    expect(usage.exitCode).toBe(2);
  });

  it('is a record of the service, unchanged', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 2 });
    const run = await pdftool(['pdf-info', 'a.pdf', '--json'], { cwd: here.path });
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, page_count: 2, title: null });
  });

  it('leaves standard output to the bytes', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const run = await pdftool(['merge', 'a.pdf', 'a.pdf', '--json', '-o', '-'], { cwd: here.path });
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'usage' } });
  });
});

describe('a slow reader', () => {
  it('does not keep a stopped program alive', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 2, imageBytes: MIB });
    const run = execa(process.execPath, [PROGRAM, 'merge', 'a.pdf', 'a.pdf', '-o', '-'], {
      cwd: here.path,
      env: CLEAN,
      extendEnv: false,
      reject: false,
      buffer: false,
    });
    // Nobody reads on after the first bytes: the pipe fills, and a write waits.
    await once(run.stdout, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 300));
    run.kill('SIGTERM');
    await once(run, 'exit');
    expect(run.signalCode ?? run.exitCode).toSatisfy((end) => end === 'SIGTERM' || end === 143);
  });
});
