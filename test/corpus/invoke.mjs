import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ACCOUNT = resolve(import.meta.dirname, 'account.cjs');
/** Milliseconds after which a run counts as hung, on a machine that does nothing else. */
export const LONGEST = 20_000;
/** Bytes it may hold. */
export const MOST_MEMORY = 1024 * 1024 * 1024;

/**
 * @typedef {object} Run
 * @property {number | null} code
 * @property {string | null} signal
 * @property {boolean} hung
 * @property {number} ms
 * @property {number | undefined} memory bytes at the peak; undefined where the process could not tell any more
 * @property {Record<string, any> | undefined} answer what `--json` printed
 * @property {string} words its stderr
 * @property {string} folder where it ran: a fresh, empty one
 * @property {string[]} left names in that folder afterwards
 */

/**
 * Runs `node PROGRAM ARGS --json --local` in a fresh folder, for `patience` milliseconds at most.
 * @returns {Promise<Run>}
 */
export function invoke(program, args, patience = LONGEST) {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-corpus-'));
  const began = performance.now();
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--require', ACCOUNT, program, ...args, '--json', '--local'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir(), LANG: 'C.UTF-8' },
    });
    let hung = false;
    const alarm = setTimeout(() => {
      hung = true;
      child.kill('SIGKILL');
    }, patience);
    const [stdout, stderr, account] = [1, 2, 3].map((number) => gather(child.stdio[number]));
    child.on('close', (code, signal) => {
      clearTimeout(alarm);
      const ms = Math.round(performance.now() - began);
      const memory = account.text() === '' ? undefined : Number(account.text()) * 1024;
      const left = readdirSync(folder).sort();
      done({ code, signal, hung, ms, memory, answer: parsed(stdout.text()), words: stderr.text(), folder, left });
    });
  });
}

function gather(stream) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  return { text: () => Buffer.concat(chunks).toString('utf8') };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
