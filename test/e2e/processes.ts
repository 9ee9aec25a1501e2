import { readFileSync } from 'node:fs';

/** A zombie has ended; nobody has asked for its exit code yet. */
export function isRunning(pid: number): boolean {
  const stat = readProcess(pid, 'stat');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

/** A file that Linux shows of a process; empty where the process has ended. */
export function readProcess(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
