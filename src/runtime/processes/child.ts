import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Clock } from '../../contract/ports.ts';

export interface Child {
  readonly pid: number;
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Settles when it has ended, with what ended it. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** At once and whatever it does (SIGKILL). */
  kill(): void;
  /** Its standard output, where that was asked for. */
  readonly output: Readable | undefined;
  /** Resident bytes; undefined where the system does not tell. */
  memory(): number | undefined;
}

export interface ChildOptions {
  /** Address space in bytes (`ulimit -v`), where there is a shell that can bound it. */
  readonly addressSpace?: number | undefined;
  /** Seconds of processor time, likewise: for a child that is stuck when its parent is killed. */
  readonly processorTime?: number;
  /** A descriptor that is its standard input. */
  readonly input?: number;
  /** Whether its standard output is read; left out, it is not. */
  readonly output?: boolean;
  /** Whether messages may hold bytes; left out, they are JSON. */
  readonly bytes?: boolean;
}

/** Names of the environment that a child needs; keys, passwords and settings of this process are not its business. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'LOCALAPPDATA',
  'XDG_DATA_HOME',
  'PDFTOOL_PACKAGES_DIR',
  'TESSDATA_PREFIX',
];

/** The command line that runs this program, without its arguments. */
export function ownCommand(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}

/**
 * The same for a process that runs WebAssembly where addresses are bounded, as in workers of the server: otherwise V8 sets
 * 10 GiB of them aside for each module.
 */
export function ownWasmCommand(): string[] {
  return [process.execPath, '--disable-wasm-trap-handler', ...process.execArgv, process.argv[1] ?? ''];
}

export function startChild(command: readonly string[], options: ChildOptions): Child {
  const output = options.output === true ? 'pipe' : 'ignore';
  const child = spawnBounded(command, options, [options.input ?? 'ignore', output, 'ignore', 'ipc']);
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
    output: child.stdout ?? undefined,
    kill: () => void child.kill('SIGKILL'),
    memory: () => residentBytes(pid),
  };
}

/** A process with bounds, and without the environment of this one. */
export function spawnBounded(command: readonly string[], options: ChildOptions, stdio: StdioOptions): ChildProcess {
  const [program = '', ...args] = [
    ...bounds(options),
    ...(options.addressSpace === undefined ? command : thrifty(command)),
  ];
  return spawn(program, args, {
    stdio,
    ...(options.bytes === true ? { serialization: 'advanced' as const } : {}),
    env: Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    // A group of its own: Ctrl-C in a terminal reaches this process alone, which ends its children in order.
    detached: process.platform !== 'win32',
  });
}

/**
 * Node with few addresses: it would reserve 10 GB of them for each WebAssembly module, so as not to check its bounds. What
 * such a process starts itself is as bounded as it is, and inherits the word by ownCommand.
 */
function thrifty([program = '', ...args]: readonly string[]): string[] {
  const word = '--disable-wasm-trap-handler';
  return program === process.execPath && !args.includes(word) ? [program, word, ...args] : [program, ...args];
}

/** The words before a command that bound it; none where there is no shell that can. */
function bounds({ addressSpace, processorTime }: ChildOptions): string[] {
  if (process.platform === 'win32') return [];
  const limits: string[] = [];
  if (addressSpace !== undefined) limits.push(`-v ${Math.floor(addressSpace / 1024)}`);
  if (processorTime !== undefined) limits.push(`-t ${processorTime}`);
  if (limits.length === 0) return [];
  // The limit of a system that knows none is passed over; the watch over resident memory is there in any case.
  return ['/bin/sh', '-c', `${limits.map((limit) => `ulimit ${limit} 2>/dev/null; `).join('')}exec "$0" "$@"`];
}

/** Milliseconds between two looks at the memory of a child. */
const LOOK = 50;

/** Resolves when the child holds more than so many bytes; rejects when `over`. */
export async function outgrown(child: Child, most: number, clock: Clock, over: AbortSignal): Promise<void> {
  while ((child.memory() ?? 0) <= most) await clock.sleep(LOOK, over);
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

/** The other side: what a child process has of the one that started it. */
export interface Parent {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Aborted when the parent is gone: nobody waits for the work any more. */
  readonly gone: AbortSignal;
}

/** Undefined where this process was started by hand. */
export function openParent(): Parent | undefined {
  if (process.send === undefined) return undefined;
  const controller = new AbortController();
  process.once('disconnect', () => controller.abort(new Error('the parent process ended')));
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => void process.on('message', listener),
    gone: controller.signal,
  };
}
