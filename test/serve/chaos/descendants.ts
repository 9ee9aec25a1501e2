// Processes below another one, as Linux tells them in /proc.
import { readdirSync, readFileSync } from 'node:fs';

export interface Descendant {
  readonly pid: number;
  readonly args: string;
  /** In ticks since the machine was started: a process id may be given again. */
  readonly startedAt: string;
}

/** Every process below this one, at whatever depth. */
export function descendantsOf(pid: number | undefined): Descendant[] {
  const children = textOf(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => {
    const startedAt = startOf(child);
    const self = startedAt === undefined ? [] : [{ pid: child, args: argsOf(child), startedAt }];
    return [...self, ...descendantsOf(child)];
  });
}

/** One that has ended, and whose parent has not asked for it yet, runs no more. */
export function isRunning({ pid, startedAt }: Descendant): boolean {
  return startOf(pid) === startedAt;
}

/** Command lines of the processes in whose environment this text is. */
export function processesWith(text: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => textOf(`${pid}/environ`).includes(text)).map((pid) => argsOf(Number(pid)));
}

/** Undefined for a process that is gone or a zombie. */
function startOf(pid: number): string | undefined {
  // The name, in parentheses, may hold spaces; the state is field 3 and the time of the start field 22.
  const fields = textOf(`${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return fields[0] === 'Z' ? undefined : fields[19];
}

function argsOf(pid: number): string {
  return textOf(`${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function textOf(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
