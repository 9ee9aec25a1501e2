import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { PDFDocument, PDFHexString, PDFName } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { makePdf } from './make-pdf.ts';
import { CLEAN, folder, PROGRAM, pdftool } from './pdftool.ts';

const ESC = '\u001b';
const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false;

/** Runs a shell line on a terminal of its own, and gives back all that was drawn. */
async function onTerminal(line: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const command = line.replaceAll('pdftool ', `${process.execPath} ${PROGRAM} `);
  const run = await execa('script', ['-qec', `stty cols 80 rows 24; ${command}`, '/dev/null'], {
    cwd,
    env: { ...CLEAN, TERM: 'xterm-256color', SHELL: '/bin/bash', ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    stripFinalNewline: false,
  });
  return { exitCode: run.exitCode, drawn: run.stdout.replaceAll('\r\n', '\n') };
}

type Press = readonly [whenDrawn: string, seconds: number, keys: string];

/** Runs pdftool on a terminal of python's pty module, and presses keys so many seconds after a text was drawn. */
async function pressing(presses: readonly Press[], args: readonly string[], cwd: string) {
  const press = `
import os,pty,sys,time,select,json
pid,fd=pty.fork()
if pid==0: os.execv(sys.argv[2],sys.argv[2:])
presses=json.loads(sys.argv[1]);out=b'';since=0;end=time.time()+40
while time.time()<end:
    if select.select([fd],[],[],0.1)[0]:
        try: data=os.read(fd,65536)
        except OSError: break
        if not data: break
        out+=data
    if presses and presses[0][0].encode() in out[since:]:
        _,wait,keys=presses.pop(0)
        time.sleep(wait);since=len(out);os.write(fd,keys.encode())
sys.stdout.buffer.write(out);sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid,0)[1]))
`;
  const run = await execa('python3', ['-c', press, JSON.stringify(presses), process.execPath, PROGRAM, ...args], {
    cwd,
    env: { ...CLEAN, TERM: 'xterm' },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  return { exitCode: run.exitCode, drawn: run.stdout };
}

describe.skipIf(!hasScript)('on a terminal, text of a file (skipped without util-linux script)', () => {
  const hostile = 'a\u001b[2Jb\u009b31mc\u007fd\u202ee\u2066f\ng';

  it.each([
    'info hostile.pdf',
    'info hostile.pdf --json',
    'meta show hostile.pdf',
    'meta show hostile.pdf --json',
    'bookmarks show hostile.pdf',
    'bookmarks show hostile.pdf --json',
    'form show hostile.pdf',
    'form show hostile.pdf --json',
    'attach list hostile.pdf',
    'attach list hostile.pdf --json',
    'labels show hostile.pdf',
    'info hostile.pdf a.pdf --json',
  ])('never moves it: %s', async (line) => {
    using here = folder();
    writeFileSync(here.at('hostile.pdf'), await hostilePdf(hostile));
    makePdf(here.at('a.pdf'));
    const { drawn, exitCode } = await onTerminal(`pdftool ${line} 2> errors`, here.path);
    expect(exitCode, drawn).toBe(0);
    expect(drawn).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    if (line.includes('--json')) {
      const [first = ''] = drawn.split('\n');
      expect(JSON.stringify(JSON.parse(first.startsWith('{') && first.endsWith('}') ? first : drawn))).toContain(
        'c\u007fd',
      );
    } else if (!/^(labels|info)/.test(line)) {
      expect(drawn).toMatch(/b\\x9b31mc\\x7fd\\u\{202e\}e\\u\{2066\}f/);
    }
  });

  // These say names and texts of files in sentences of their own, also where they fail.
  it.each([
    'check hostile.pdf',
    'check hostile.pdf --json',
    'redact check hostile.pdf',
    'compare hostile.pdf other.pdf --json',
    'compare hostile.pdf other.pdf',
    'invoice show invoice.pdf',
    'invoice show invoice.pdf --json',
    'verify signed.pdf',
    'verify signed.pdf --json',
    'run steps.json hostile.pdf -o out.pdf',
    'info "$(printf "e\\033[2Jvil\\302\\233.pdf")"',
  ])('never moves it in sentences: %s', async (line) => {
    using here = folder();
    const [name, short] = [hostile.replace('\n', ''), 'a\u001b[2Jb\u009b31mc\u007fd'];
    for (const file of ['hostile.pdf', 'other.pdf']) writeFileSync(here.at(file), await hostilePdf(hostile + file));
    writeFileSync(here.at('steps.json'), JSON.stringify({ steps: [{ operation: `rotate${hostile}` }] }));
    if (line.startsWith('invoice')) {
      const id = `<ram:ID xmlns:ram="urn:ram">${name}</ram:ID>`;
      const xml = `<r:CrossIndustryInvoice xmlns:r="urn:r"><r:ExchangedDocument>${id}</r:ExchangedDocument></r:CrossIndustryInvoice>`;
      const pdf = await PDFDocument.create();
      pdf.addPage();
      await pdf.attach(Buffer.from(xml), 'factur-x.xml');
      writeFileSync(here.at('invoice.pdf'), await pdf.save());
    }
    if (line.startsWith('verify')) {
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-utf8', '-subj', `/CN=${short}`];
      spawnSync('openssl', [...request, '-keyout', here.at('key.pem'), '-out', here.at('cert.pem')]);
      makePdf(here.at('a.pdf'));
      const args = ['sign', 'a.pdf', '--key', 'key.pem', '--cert', 'cert.pem', '--reason', name, '-o', 'signed.pdf'];
      expect((await pdftool([...args, '--local'], { cwd: here.path })).exitCode).toBe(0);
    }
    const local = line.startsWith('redact') ? '' : '--local';
    const { drawn } = await onTerminal(`pdftool ${line} ${local} 2> errors; cat errors`, here.path, { NO_COLOR: '1' });
    expect(drawn).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(drawn).toMatch(/^(check|redact|compare)/.test(line) ? /./ : /\\(x|u00)?1[bB]\[2J/);
  });
});

/** A PDF whose title, author, bookmark, field, value, attachment and page label hold a text. */
async function hostilePdf(text: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([200, 200]);
  pdf.setTitle(text);
  pdf.setAuthor(text);
  await pdf.attach(Buffer.from('text'), text, { description: text });
  const field = pdf.getForm().createTextField(text.replaceAll('.', ''));
  field.addToPage(page);
  field.acroField.dict.set(PDFName.of('V'), PDFHexString.fromText(text));
  const { context } = pdf;
  const root = context.nextRef();
  const item = context.register(
    context.obj({ Title: PDFHexString.fromText(text), Parent: root, Dest: [page.ref, 'Fit'] }),
  );
  context.assign(root, context.obj({ Type: 'Outlines', First: item, Last: item, Count: 1 }));
  pdf.catalog.set(PDFName.of('Outlines'), root);
  pdf.catalog.set(PDFName.of('PageLabels'), context.obj({ Nums: [0, { P: PDFHexString.fromText(text) }] }));
  return pdf.save({ updateFieldAppearances: false });
}

describe.skipIf(!hasScript)('on a terminal (skipped without util-linux script)', () => {
  it('a summary says what was written, its pages, size and engine', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'), { pages: 2 });
    const { drawn, exitCode } = await onTerminal('pdftool merge a.pdf a.pdf --local', here.path);
    expect(exitCode).toBe(0);
    expect(drawn).toMatch(/^merged\.pdf\n\S*✓\S* 4 pages, 1\.\d KB, local engine, [\d.]+ m?s\n$/);
  });

  it.each([
    ['NO_COLOR', '', { NO_COLOR: '1' }],
    ['--no-color', '--no-color', {}],
    ['NO_COLOR over FORCE_COLOR', '', { NO_COLOR: '1', FORCE_COLOR: '1' }],
    ['a dumb terminal', '', { TERM: 'dumb' }],
  ])('%s means no escape at all', async (_what, flag, env) => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const { drawn } = await onTerminal(`pdftool merge a.pdf a.pdf ${flag}; pdftool info nope ${flag}`, here.path, env);
    expect(drawn).toContain('✓ 2 pages');
    expect(drawn).toContain('error: nope');
    expect(drawn).not.toContain(ESC);
  });

  it('an error is red', async () => {
    using here = folder();
    const { drawn, exitCode } = await onTerminal('pdftool info nope.pdf --local', here.path);
    expect(drawn).toContain(`${ESC}[31merror:${ESC}[39m nope.pdf: there is no such file`);
    expect(exitCode).toBe(6);
  });

  it('binary output is refused, and text may come', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const refused = await onTerminal('pdftool merge a.pdf a.pdf -o -', here.path);
    expect(refused.exitCode).toBe(2);
    expect(refused.drawn).toContain('standard output is a terminal, and the result is application/pdf');
    expect((await onTerminal('pdftool info a.pdf -o - -q', here.path)).drawn).toMatch(/^Page count {2}1\n/);
  });

  it('waits for no terminal as standard input', async () => {
    using here = folder();
    const { drawn, exitCode } = await onTerminal('pdftool info - < /dev/tty', here.path);
    expect(drawn).toContain('standard input (-) is a terminal');
    expect(exitCode).toBe(2);
  });

  it('long work draws a bar, and Ctrl-C takes it away', async () => {
    using here = folder();
    makePdf(here.at('big.pdf'), { pages: 40, imageBytes: 500_000 });
    writeFileSync(here.at('list.txt'), 'big.pdf\n'.repeat(60));
    const run = await pressing([[' of 60 files', 0, '\u0003']], ['merge', '@list.txt', '--local'], here.path);
    expect(run.exitCode).toBe(130);
    const { drawn } = run;
    expect(drawn).toMatch(/merge ━*─+ \d+% {2}\d+ of 60 files/);
    expect(drawn).toMatch(/error:\S* interrupted/);
    // Nothing that needs undoing was done to the terminal: cursor hidden, wrapping off, another screen.
    expect(drawn).not.toMatch(/\u001b\[\?(25l|7l|1049h)(?![\s\S]*\u001b\[\?(25h|7h|1049l))/);
    expect(here.list()).toEqual(['big.pdf', 'list.txt']);
  });
});

describe.skipIf(!hasScript)('asked for a password (skipped without util-linux script)', () => {
  it('the question stays on its line however long the answer takes', async () => {
    using here = folder();
    makePdf(here.at('plain.pdf'), { pages: 3 });
    await execa('qpdf', ['--encrypt', 'geheim', 'x', '256', '--', here.at('plain.pdf'), here.at('locked.pdf')]);
    const answers: Press[] = [
      ['Password of locked.pdf: ', 1.2, 'guess\r'],
      ['That is not it. Password of locked.pdf: ', 1.2, 'geheim\r'],
    ];
    const { drawn, exitCode } = await pressing(answers, ['info', 'locked.pdf', '--local'], here.path);
    const lines = drawn.split('\r\n');
    expect(lines[0]).toBe('Password of locked.pdf: ');
    // What was drawn meanwhile was taken off the line before the question came.
    expect(lines[1]?.split(`${ESC}[1G${ESC}[0K`).at(-1)).toBe('That is not it. Password of locked.pdf: ');
    expect(drawn).toMatch(/Page count {2}3\r\n/);
    expect(exitCode).toBe(0);
  });

  it('is asked once about a file that is opened twice', async () => {
    using here = folder();
    makePdf(here.at('plain.pdf'), { pages: 3 });
    await execa('qpdf', ['--encrypt', 'geheim', 'x', '256', '--', here.at('plain.pdf'), here.at('locked.pdf')]);
    const answers: Press[] = [['Password of locked.pdf: ', 0, 'geheim\r']];
    // The pages of --ranges are counted first.
    for (const args of [
      ['split', 'locked.pdf', '--ranges', '1-2'],
      ['merge', 'locked.pdf', 'locked.pdf'],
    ]) {
      const { drawn, exitCode } = await pressing(answers, [...args, '--local'], here.path);
      expect(drawn.split('Password of')).toHaveLength(2);
      expect(exitCode).toBe(0);
    }
  });
});

describe('a bar', () => {
  it('fits the terminal, also when that is made narrower', async () => {
    using here = folder();
    const watch = `
import os,pty,sys,time,select,fcntl,struct,termios
def size(fd,columns): fcntl.ioctl(fd,termios.TIOCSWINSZ,struct.pack('HHHH',24,columns,0,0))
pid,fd=pty.fork()
if pid==0: time.sleep(0.2); os.execv(sys.argv[1],sys.argv[1:])
size(fd,90);out=b'';end=time.time()+40;narrow=None
while time.time()<end:
    if select.select([fd],[],[],0.1)[0]:
        try: data=os.read(fd,65536)
        except OSError: break
        if not data: break
        out+=data
    if narrow is None and '\u2500'.encode() in out:
        size(fd,40); time.sleep(0.5); narrow=len(out)
sys.stdout.buffer.write(out[:narrow]+b'<NARROW>'+out[narrow or 0:]);sys.stdout.flush()
`;
    const script = `
import { createDrawing } from '${join(import.meta.dirname, '../../src/runtime/terminal/drawing.ts')}';
const drawing = createDrawing({ colour: false, columns: () => process.stderr.columns });
const start = Date.now();
const timer = setInterval(() => {
  const done = Math.floor((Date.now() - start) / 2);
  drawing.show({ phase: 'a phase with a long name', done, total: 1500, unit: 'pages' }, 'title');
  if (done >= 1500) { clearInterval(timer); drawing.close(); }
}, 20);
`;
    await build({
      stdin: { contents: script, loader: 'ts', resolveDir: join(import.meta.dirname, '../..') },
      outfile: here.at('draw.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'silent',
    });
    const run = await execa('python3', ['-c', watch, process.execPath, here.at('draw.mjs')], {
      env: { ...CLEAN, TERM: 'xterm' },
      extendEnv: false,
    });
    const [wide = [], narrow = []] = run.stdout.split('<NARROW>').map(barsIn);
    expect(wide.length).toBeGreaterThan(0);
    expect(narrow.length).toBeGreaterThan(1);
    expect(Math.max(...wide.map((line) => line.length))).toBeLessThanOrEqual(90);
    // The first may have been on its way when the terminal changed.
    expect(Math.max(...narrow.slice(1).map((line) => line.length))).toBeLessThan(40);
  });
});

/** Lines with a bar, without what moves the cursor. */
function barsIn(drawn: string): string[] {
  return drawn
    .replaceAll(new RegExp(`${ESC}\\[[0-9;?]*[A-Za-z]`, 'g'), '\r')
    .split(/[\r\n]+/)
    .filter((line) => /[━─]/.test(line));
}

describe('away from a terminal', () => {
  it('FORCE_COLOR colours, a plain run does not', async () => {
    const forced = await pdftool(['info', 'nope'], { env: { ...CLEAN, FORCE_COLOR: '1' } });
    expect(forced.stderr).toContain(ESC);
    expect((await pdftool(['info', 'nope'])).stderr).not.toContain(ESC);
  });

  it('long work says a plain line, and nothing moves', async () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    const verbose = await pdftool(['merge', 'a.pdf', 'a.pdf', '-v', '--local'], { cwd: here.path });
    expect(verbose.stderr).toContain('merge: 0 of 2 files, a.pdf\n');
    expect(verbose.stderr).not.toContain(ESC);
    const plain = await pdftool(['merge', 'a.pdf', 'a.pdf', '--local', '-f'], { cwd: here.path });
    expect(plain.stderr).toBe('');
  });
});
