// Owns starting a child process that is bounded in memory and ends with its parent. Knows nothing of what it does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Child {
  readonly pid: number;
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Settles when it has ended, with what ended it. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** At once and whatever it does (SIGKILL). */
  kill(): void;
  /** Resident bytes; undefined where the system does not tell. */
  memory(): number | undefined;
}

export interface ChildOptions {
  /** Address space in bytes (`ulimit -v`), where there is a shell that can bound it. */
  readonly addressSpace?: number | undefined;
}

/** Names of the environment that a child needs; keys, passwords and settings of this process are not its business. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

/** The command line that runs this program, without its arguments. */
export function ownCommand(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}

export function startChild(command: readonly string[], { addressSpace }: ChildOptions): Child {
  const bounded =
    addressSpace !== undefined && process.platform !== 'win32'
      ? // The limit of a system that knows none is passed over; the watch over resident memory is there in any case.
        ['/bin/sh', '-c', 'ulimit -v "$0" 2>/dev/null; exec "$@"', String(Math.floor(addressSpace / 1024)), ...command]
      : command;
  const [program = '', ...args] = bounded;
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    // A group of its own: Ctrl-C in a terminal reaches the server alone, which ends its children in order.
    detached: process.platform !== 'win32',
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  const pid = child.pid ?? -1;
  return {
    pid,
    ended,
    send(message) {
      // A child that is gone says so by `ended`.
      if (child.connected) child.send(message, () => {});
    },
    onMessage: (listener) => void child.on('message', listener),
    kill: () => void child.kill('SIGKILL'),
    memory: () => residentBytes(pid),
  };
}

function residentBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) ? pages * 4096 : undefined;
  } catch {
    return undefined;
  }
}
