import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../system/alive.ts';
import { ifPossible } from '../system/if-possible.ts';

const NAME = /^\.pdftool-([0-9a-f]{8}-\d+)-(\d{1,7})-\w{6}$/;
/** Bytes of a folder's own entry. Listing 100,000 names takes 200 ms, a folder of this size half a millisecond. */
const SMALL = 64 * 1024;

/** The beginning of the names of this process's scratch folders. */
export function scratchPrefix(): string {
  const table = processTable();
  return table === '' ? '.pdftool-' : `.pdftool-${table}-${process.pid}-`;
}

let table: string | undefined;

/**
 * Identifies the set of processes in which a pid has a meaning: this boot of this machine, in this container. Machines that
 * share a folder have pids of their own. Empty where the system does not tell; then nothing is ever removed.
 */
function processTable(): string {
  if (table !== undefined || process.platform !== 'linux') return table ?? '';
  // Without /proc nothing tells processes of other containers apart.
  const boot = ifPossible(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8));
  const space = /\d+/.exec(ifPossible(() => readlinkSync('/proc/self/ns/pid')) ?? '')?.[0];
  table = boot === undefined || space === undefined ? '' : `${boot}-${space}`;
  return table;
}

/** Removes scratch folders in `parent` whose process has ended. Large folders are not searched. */
export function removeLeftovers(parent: string): void {
  // Where that fails, it is no reason to fail a job: the folders are hidden and private.
  ifPossible(() => {
    const ours = processTable();
    if (ours === '' || statSync(parent).size > SMALL) return;
    for (const name of readdirSync(parent)) {
      const [, theirs, pid] = NAME.exec(name) ?? [];
      // Where another process has the pid by now, the folder stays: removing too little is better than too much.
      if (theirs === ours && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
    }
  });
}
