import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../processes/alive.ts';

const NAME = /^\.pdftool-([0-9a-f]{8}-\d+)-(\d{1,7})-\w{6}$/;
/** Bytes of a folder itself. Looking through one of 100,000 names takes 200 ms, through one of this size half a millisecond. */
const SMALL = 64 * 1024;

/** What the name of a scratch folder of this process begins with. */
export function scratchPrefix(): string {
  const table = processTable();
  return table === '' ? '.pdftool-' : `.pdftool-${table}-${process.pid}-`;
}

let known: string | undefined;

/**
 * Names the processes among which a pid is one: this start of this machine, this container. A folder may be shared with
 * others, whose pids say nothing here. Empty where the system does not tell: then nothing is ever removed.
 */
function processTable(): string {
  known ??= readTable();
  return known;
}

function readTable(): string {
  if (process.platform !== 'linux') return '';
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    const space = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
    return space === undefined ? '' : `${boot}-${space}`;
  } catch {
    return '';
  }
}

/** Removes scratch folders in `parent` whose process is gone. Large folders are not looked through. */
export function removeLeftovers(parent: string): void {
  try {
    const table = processTable();
    if (table === '' || statSync(parent).size > SMALL) return;
    for (const name of readdirSync(parent)) {
      const [, theirs, pid] = NAME.exec(name) ?? [];
      // A folder whose pid belongs to another process by now is kept: removing too little is better than too much.
      if (theirs === table && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
    }
  } catch {
    // A job need not fail for this: the folders are hidden and private.
  }
}
