import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs each command `runs` times in turn (A B C A B C) after one run each to warm the page cache.
 * @param {Record<string, (out: string) => string[]>} commands whole command lines; `out` is under a fresh folder
 * @param {{ runs: number, folder: string, asItIs?: boolean }} options asItIs: the environment stays as it is
 * @returns {Record<string, { ms: number[], cpu: number[], bytes: number[], size: number }>} wall and CPU time in
 * milliseconds, peak memory, size of the output
 */
export function interleave(commands, { runs, folder, asItIs = false }) {
  mkdirSync(folder, { recursive: true });
  const env = asItIs ? process.env : withoutAuthorities();
  const results = Object.fromEntries(
    Object.keys(commands).map((name) => [name, { ms: [], cpu: [], bytes: [], size: 0 }]),
  );
  const kept = [];
  try {
    for (let round = runs === 1 ? 1 : 0; round <= runs; round += 1) {
      for (const [name, command] of Object.entries(commands)) {
        const { ms, cpu, bytes, size } = once(command, folder, env, kept);
        results[name].size = size;
        if (round === 0) continue;
        results[name].ms.push(ms);
        results[name].cpu.push(cpu);
        results[name].bytes.push(bytes);
      }
    }
  } finally {
    for (const place of kept) rmSync(place, { recursive: true, force: true });
  }
  return results;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Node 20 reads these before anything else (40 ms for a system's own), which is neither the program's time nor of use here. */
function withoutAuthorities() {
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
  return rest;
}

/**
 * `kept`: notes the place of an output that is a folder, which is left there until all runs are over. Where hundreds of files
 * were deleted, ext4 takes up to a millisecond to create each of the next ones for some minutes: it passes over their inodes.
 */
function once(command, folder, env, kept) {
  const place = mkdtempSync(join(folder, 'run-'));
  const out = join(place, 'out');
  try {
    const [program, ...args] = command(out);
    if (args.some((arg) => arg.startsWith(`${out}/`))) mkdirSync(out);
    const account = join(place, 'memory');
    // What one program left to be written is not written while the next one is timed: pdftool syncs, the peers do not.
    spawnSync('sync');
    const began = performance.now();
    const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%M %U %S', '-o', account, program, ...args], {
      cwd: place,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ms = performance.now() - began;
    // qpdf and mutool warn about some manuals and still write them: 3 is success with warnings.
    if (status !== 0 && !(program === 'qpdf' && status === 3)) {
      throw new Error(`${program} ${args.slice(0, 2).join(' ')} ended with ${status}: ${stderr.toString().trim()}`);
    }
    const [kibibytes, user, system] = readFileSync(account, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
    return { ms, cpu: 1000 * (user + system), bytes: kibibytes * 1024, size: sizeOf(out) };
  } finally {
    if (statSync(out, { throwIfNoEntry: false })?.isDirectory()) kept.push(place);
    else rmSync(place, { recursive: true, force: true });
  }
}

function sizeOf(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}
