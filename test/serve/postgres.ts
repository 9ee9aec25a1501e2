// A real PostgreSQL in a temporary folder, for one test file.
import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresFolders } from '../left-out.ts';

export interface PostgresServer {
  /** The address of a database of its own, empty. */
  database(): Promise<string>;
  /** Runs a statement as the owner of everything. */
  query(url: string, text: string): Promise<Record<string, unknown>[]>;
  /** At once, whatever it does. */
  crash(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'pdftool-postgres-'));
  // It refuses to run as root; Debian has a user for it.
  const owner = process.getuid?.() === 0 ? await userNamed('postgres') : undefined;
  if (owner !== undefined) chownSync(home, owner.uid, owner.gid);
  const port = await freePort();
  const data = join(home, 'data');
  const run = promisify(execFile);
  const as = { ...owner, cwd: home };
  await run(program('initdb'), ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--no-sync'], as);
  // Its processes are killed here, never the machine: what the system was given is kept without waiting for the disk.
  const settings = ['max_connections=200', 'fsync=off'].flatMap((each) => ['-c', each]);
  const options = ['-D', data, '-p', String(port), '-k', home, '-h', '127.0.0.1', ...settings];
  let server: ReturnType<typeof spawn>;
  let count = 0;
  const address = (name: string) => `postgres://owner@127.0.0.1:${port}/${name}`;
  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    } finally {
      await client.end();
    }
  };
  const start = async () => {
    const begin = () => spawn(program('postgres'), options, { ...as, stdio: 'ignore' });
    server = begin();
    for (let tries = 0; ; tries += 1) {
      // After a crash the processes of the one before may still hold its memory.
      if (server.exitCode !== null) server = begin();
      try {
        await query(address('postgres'), 'SELECT 1');
        return;
      } catch (error) {
        if (tries > 1_000) throw error;
        await sleep(50);
      }
    }
  };
  const stop = async (signal: 'SIGINT' | 'SIGQUIT') => {
    if (server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    async database() {
      count += 1;
      await query(address('postgres'), `CREATE DATABASE test${count}`);
      return address(`test${count}`);
    },
    query,
    crash: () => stop('SIGQUIT'),
    start,
    async remove() {
      await stop('SIGINT');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function program(name: 'initdb' | 'postgres'): string {
  const folders = [...postgresFolders().reverse(), ...(process.env.PATH ?? '').split(delimiter)];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`there is no ${name}; on Debian: apt install postgresql`);
  return found;
}

async function userNamed(name: string): Promise<{ uid: number; gid: number }> {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${name}`);
  return { uid: Number(uid), gid: Number(gid) };
}

/** Of this machine. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
