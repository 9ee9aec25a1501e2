// What a person at a terminal sees of jobs: through a real pseudo-terminal whose Ctrl-C key is pressed.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it } from 'vitest';
import { PROGRAM } from '../e2e/pdftool.ts';
import { type JobService, startJobService } from './service.ts';
import { type Bench, bench } from './workbench.ts';

const BOOK = resolve(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const hasPython = spawnSync('python3', ['--version']).status === 0;

let service: JobService | undefined;
afterEach(() => service?.close());

/** Standard error and standard input are the terminal, standard output a file. Types `keys` once `after` was drawn. */
const PRESS = `
import fcntl,os,pty,struct,sys,time,select,termios
after,keys,columns=sys.argv[1].encode(),sys.argv[2].encode().decode('unicode_escape').encode(),int(sys.argv[3])
pid,fd=pty.fork()
if pid==0:
    if columns: fcntl.ioctl(2,termios.TIOCSWINSZ,struct.pack('HHHH',24,columns,0,0))
    out=os.open('out',os.O_CREAT|os.O_WRONLY|os.O_TRUNC); os.dup2(out,1)
    os.execv(sys.argv[4],sys.argv[4:])
before=termios.tcgetattr(fd)
drawn=b'';pressed=False;end=time.time()+40
while time.time()<end:
    if select.select([fd],[],[],0.1)[0]:
        try: data=os.read(fd,65536)
        except OSError: break
        if not data: break
        drawn+=data
    if not pressed and after in drawn: os.write(fd,keys);pressed=True
open('drawn','wb').write(drawn)
code=os.waitstatus_to_exitcode(os.waitpid(pid,0)[1])
`;

async function onTerminal(ports: Bench, after: string, keys: string, args: readonly string[], columns = 100) {
  // The terminal's settings are looked at while its other end is still open: left raw, a shell would be unusable.
  const check = "\nprint('restored' if termios.tcgetattr(fd)[3]==before[3] else 'changed')\nsys.exit(code)\n";
  const run = await execa(
    'python3',
    ['-c', PRESS + check, after, keys, String(columns), process.execPath, PROGRAM, ...args],
    {
      cwd: ports.work,
      env: { ...ports.env, TERM: 'xterm-256color' },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    },
  );
  const read = (name: string) => readFileSync(`${ports.work}/${name}`, 'utf8').replaceAll('\r\n', '\n');
  return { exitCode: run.exitCode, terminal: run.stdout, drawn: read('drawn'), out: read('out') };
}

async function setUp(states: Parameters<typeof startJobService>[0]) {
  service = await startJobService(states);
  const ports = bench(service);
  copyFileSync(BOOK, `${ports.work}/book.pdf`);
  return ports;
}

describe.skipIf(!hasPython)('on a terminal (skipped without python3)', () => {
  it('a bar with its state is drawn on standard error; Ctrl-C leaves the terminal as it was and says how to go on', async () => {
    using ports = await setUp({ states: ['queued', { status: 'running', percent: 40 }, 'warming up'] });
    const run = await onTerminal(ports, 'running 40%', '\\x03', ['audiobook', 'book.pdf', '--yes']);
    expect(run.exitCode).toBe(130);
    expect(run.drawn).toMatch(/book\.pdf +─+ +queued/);
    expect(run.drawn).toMatch(/book\.pdf +━+─+ +running 40% +[\d.]+ s/);
    const id = /pdftool jobs watch (\S+?)(?:\u001b\[\d+m)?\n$/.exec(run.drawn)?.[1];
    expect(id).toBe((await ports.jobs())[0]?.id);
    expect([run.terminal, run.out]).toEqual(['restored', '']);
    // Nothing that needs undoing was left: cursor hidden, wrapping off, another screen.
    expect(run.drawn).not.toMatch(/\u001b\[\?(25l|7l|1049h)(?![\s\S]*\u001b\[\?(25h|7h|1049l))/);
    if (service !== undefined) service.behaviour.states = ['succeeded'];
    expect((await ports.run(['jobs', 'watch', String(id), '-q'])).stdout).toBe('book.mp3\n');
    expect(service?.count('POST', /./)).toBe(1);
  });

  it('several jobs have a bar each, and results go to standard output alone', async () => {
    using ports = await setUp({ states: ['running', 'running', 'succeeded'], result: Buffer.from('%PDF-1.7 x') });
    for (const name of ['one.pdf', 'two.pdf']) {
      copyFileSync(BOOK, `${ports.work}/${name}`);
      await ports.run(['workflow', 'compress', name, '--detach']);
    }
    const run = await onTerminal(ports, 'never', '', ['jobs', 'watch', '--notify']);
    expect(run.exitCode).toBe(0);
    expect(run.drawn).toMatch(/one\.pdf +─+ +running/);
    expect(run.drawn).toMatch(/two\.pdf +─+ +running/);
    expect(run.drawn).toContain('\u0007');
    expect(run.drawn).toMatch(/one\.pdf: one-compressed\.pdf, 10 bytes, after/);
    expect(run.out.split('\n').sort()).toEqual(['', 'one-compressed.pdf', 'two-compressed.pdf']);
  });

  it.each([
    ['y\\n', 0],
    ['\\n', 130],
  ])('what costs much is asked about: %s ends with %i', async (keys, exit) => {
    using ports = await setUp({ states: ['succeeded'] });
    // A terminal that was given no size says that it has no columns.
    const run = await onTerminal(ports, 'Send it? [y/N]', keys, ['audiobook', 'book.pdf', '--detach'], 0);
    expect(run.exitCode).toBe(exit);
    expect(run.drawn).toContain('audiobook costs about 90 credits');
    expect(service?.count('POST', /./)).toBe(exit === 0 ? 1 : 0);
    expect(run.terminal).toBe('restored');
  });

  it('--no-progress and a threshold that is not reached: plain lines, no question', async () => {
    using ports = await setUp({ states: ['succeeded'] });
    await ports.run(['config', 'set', 'confirm_credits', '90']);
    const run = await onTerminal(ports, 'never', '', ['audiobook', 'book.pdf', '--no-progress', '--no-color']);
    expect([run.exitCode, run.out]).toEqual([0, 'book.mp3\n']);
    expect(run.drawn).toMatch(/book\.pdf: succeeded\n/);
    expect(run.drawn).not.toContain('\u001b');
  });
});
