import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import type { Clock } from '../../contract/base/ports.ts';
import { ownFlags, ownScriptPath } from './own-program.ts';
import { endWithThisProcess } from './watcher.ts';

export interface Child {
  readonly pid: number;
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Settles when the process has ended, with its exit code or signal. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Kills the process; SIGTERM lets it clean up. */
  kill(signal?: 'SIGTERM'): void;
  /** Its standard input and output, where they are pipes. */
  readonly input: Writable | undefined;
  readonly output: Readable | undefined;
  /** Resident bytes; undefined where the system does not tell. */
  memory(): number | undefined;
}

export interface ChildOptions {
  /** Address space in bytes (`ulimit -v`), where there is a shell that can bound it. */
  readonly addressSpace?: number | undefined;
  /** Seconds of processor time, likewise: for a child that is stuck when its parent is killed. */
  readonly processorTime?: number;
  /** Its standard input: a descriptor, or a pipe. */
  readonly input?: number | 'pipe';
  /** Whether its standard output is a pipe; left out, it goes nowhere. */
  readonly output?: boolean;
  /** Whether messages may hold bytes; left out, they are JSON. */
  readonly bytes?: boolean;
  /** Whether it has the environment and the standard error of this process. */
  readonly inherits?: boolean;
}

/** The variables that a child gets. Keys, passwords and settings of this process are not among them. */
const PASSED_ON = `PATH HOME LANG TMPDIR TEMP TMP SystemRoot LOCALAPPDATA XDG_DATA_HOME
  PDFTOOL_PACKAGES_DIR TESSDATA_PREFIX`.split(/\s+/);

const NO_TRAPS = '--disable-wasm-trap-handler';

/** The command line that runs this program, without its arguments. */
export function ownCommand(): string[] {
  return [process.execPath, ...ownFlags(), ownScriptPath()];
}

/**
 * The same for a process that runs WebAssembly where addresses are bounded, as in workers of the server: otherwise V8 sets
 * 10 GiB of them aside for each module.
 */
export function ownWasmCommand(): string[] {
  return [process.execPath, NO_TRAPS, ...ownFlags(), ownScriptPath()];
}

/**
 * Lets the optimising compiler of WebAssembly wait as long as Node 24 does. As Node 20 has it, a seventh of that, it takes a
 * third of the time that 50 thumbnails need, and a tenth of that of 50 pages at 150 dpi.
 */
export function optimiseLater(): void {
  setFlagsFromString('--wasm-tiering-budget=13000000');
}

/** Starts a process with bounds, by default without the environment of this one. */
export function startChild(command: readonly string[], options: ChildOptions): Child {
  const child = spawnBounded(command, options);
  // A write to a child that has ended fails; `ended` reports that.
  child.stdin?.on('error', () => {});
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  const pid = child.pid ?? -1;
  return {
    pid,
    ended,
    send(message) {
      // `ended` reports a child that has ended.
      if (child.connected) child.send(message, () => {});
    },
    onMessage: (listener) => void child.on('message', listener),
    input: child.stdin ?? undefined,
    output: child.stdout ?? undefined,
    kill: (signal) => void child.kill(signal ?? 'SIGKILL'),
    memory: () => residentBytes(pid),
  };
}

function spawnBounded(command: readonly string[], options: ChildOptions): ChildProcess {
  const { input = 'ignore', output, bytes, inherits } = options;
  const passedOn = PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const [program = '', ...args] = [
    ...bounds(options),
    ...(options.addressSpace === undefined ? command : thrifty(command)),
  ];
  const child = spawn(program, args, {
    stdio: [input, output === true ? 'pipe' : 'ignore', inherits === true ? 'inherit' : 'ignore', 'ipc'],
    serialization: bytes === true ? 'advanced' : 'json',
    // glibc keeps memory for each thread: with two such areas `compress` holds 400 MB for 100 MB of photos, else 460.
    env: {
      MALLOC_ARENA_MAX: '2',
      ...(inherits === true ? process.env : Object.fromEntries(passedOn)),
      ...flagsInEnvironment(args),
    },
    // A group of its own: Ctrl-C in a terminal reaches this process alone, which ends its children in order.
    detached: process.platform !== 'win32',
  });
  endWithThisProcess(child);
  return child;
}

/** A single executable takes flags of Node from the environment alone. */
function flagsInEnvironment(args: readonly string[]): { readonly NODE_OPTIONS?: string } {
  const flags = args.filter((word) => word === NO_TRAPS);
  return process.env.PDFTOOL_SINGLE_FILE === undefined || flags.length === 0 ? {} : { NODE_OPTIONS: flags.join(' ') };
}

/**
 * Node within a small address space: by default V8 reserves 10 GB for each WebAssembly module, so as not to check its bounds.
 * Children of such a process share its limit, and inherit the flag through `ownCommand`.
 */
function thrifty([program = '', ...args]: readonly string[]): string[] {
  return program === process.execPath && !args.includes(NO_TRAPS) ? [program, NO_TRAPS, ...args] : [program, ...args];
}

/** The words before a command that limit its process (ulimit); none on Windows. */
function bounds({ addressSpace, processorTime }: ChildOptions): string[] {
  // A container may hold nothing but this program.
  if (process.platform === 'win32' || !existsSync('/bin/sh')) return [];
  const limits: string[] = [];
  if (addressSpace !== undefined) limits.push(`-v ${Math.floor(addressSpace / 1024)}`);
  if (processorTime !== undefined) limits.push(`-t ${processorTime}`);
  if (limits.length === 0) return [];
  // Where a system has no such limit, the watch over resident memory remains.
  return ['/bin/sh', '-c', `${limits.map((limit) => `ulimit ${limit} 2>/dev/null; `).join('')}exec "$0" "$@"`];
}

/** Milliseconds between two measurements of a child's memory. */
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
    // The process has ended.
    return undefined;
  }
}

/** A child's connection to the process that started it. */
export interface Parent {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Aborted when the parent has closed the channel or ended. */
  readonly gone: AbortSignal;
  /** Closes the channel. */
  leave(): void;
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
    leave() {
      if (process.connected) process.disconnect();
    },
  };
}
