import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Inside the project, so that packages that are not bundled are found. */
const OUT = join(ROOT, 'node_modules/.cache', `pdftool-chaos-${process.pid}`);

/** Bundles server and worker: this Node reads no TypeScript. */
export async function bundle(): Promise<{ server: string; worker: string; database: string }> {
  mkdirSync(OUT, { recursive: true });
  await build({
    entryPoints: ['server', 'worker', 'database'].map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['pdfjs-dist', 'sharp', 'libsql'],
    // CommonJS packages in an ES module ask for `require`.
    banner: { js: 'import{createRequire as __r}from"node:module";const require=__r(import.meta.url);' },
    logLevel: 'error',
  });
  const [server = '', worker = '', database = ''] = ['server', 'worker', 'database'].map((name) =>
    join(OUT, `${name}.mjs`),
  );
  return { server, worker, database };
}

export function removeBundle(): void {
  rmSync(OUT, { recursive: true, force: true });
}

export interface Victim {
  readonly errors: string[];
  /** Kills the server with everything it has in hand, and starts it again. */
  killAndRestart(): Promise<void>;
  /** Kills one worker at random; whether there was one. */
  killWorker(): boolean;
  stop(): Promise<void>;
}

export async function startVictim(args: readonly string[]): Promise<Victim> {
  const errors: string[] = [];
  let process_ = await start(args, errors);
  return {
    errors,
    async killAndRestart() {
      process_.kill('SIGKILL');
      await exited(process_);
      process_ = await start(args, errors);
    },
    killWorker() {
      const pids = childrenOf(process_.pid);
      const pid = pids[Math.floor(Math.random() * pids.length)];
      if (pid === undefined) return false;
      try {
        process.kill(pid, 'SIGKILL');
        return true;
      } catch {
        return false;
      }
    },
    async stop() {
      process_.kill('SIGKILL');
      await exited(process_);
    },
  };
}

async function start(args: readonly string[], errors: string[]): Promise<ChildProcess> {
  for (let tries = 0; ; tries += 1) {
    const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stderr.on('data', (chunk) => void errors.push(String(chunk)));
    const ready = new Promise<boolean>((resolve) => {
      child.stdout.once('data', () => resolve(true));
      child.once('exit', () => resolve(false));
    });
    if (await ready) return child;
    if (tries > 20) throw new Error(`the server does not start: ${errors.slice(-3).join('')}`);
    await sleep(100);
  }
}

function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

/** The children of a process, as Linux tells them. */
function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
