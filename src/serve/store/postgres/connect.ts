import { createHash } from 'node:crypto';
import type { ClientBase, Pool, PoolConfig } from 'pg';
import { Failure } from '../../../contract/base/failure.ts';
import type { Clock } from '../../../contract/base/ports.ts';
import { errnoOf } from '../../../runtime/files/system/file-failure.ts';
import { AWAY_CODES } from '../../base/network.ts';
import type { SqlRow, SqlValue } from '../driver.ts';
import type { Database, Steps } from '../steps.ts';

/** Milliseconds for which calls to an unreachable database are retried, as SQLite waits for a lock. */
const PATIENCE = 15_000;
/** Milliseconds before a retry; doubled each time, at most a second. */
const PAUSE = 20;
/** Milliseconds for a connection to open, and for the answer to a statement. */
const CONNECT = 10_000;
const STATEMENT = 60_000;
/** Connections of one server. */
const CONNECTIONS = 10;
/** The OID of 64-bit integers. Counts stay far below the 53 bits that a number holds exactly. */
const INT8 = 20;

export interface Postgres extends Database {
  /** Runs statements outside of the store. */
  query(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>;
  /** A repeatable single-statement transaction, prepared once per connection. */
  once(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/** Connects to a database and tests it. Throws a Failure that says what is wrong. */
export async function connect(url: string, clock: Clock): Promise<Postgres> {
  const pg = await loadDriver();
  const types: PoolConfig['types'] = {
    getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({
    ...{ connectionString: url, types, max: CONNECTIONS, application_name: 'pdftool serve' },
    ...{ connectionTimeoutMillis: CONNECT, query_timeout: STATEMENT, keepAlive: true },
  });
  // An idle connection that ends is replaced when the next one is needed.
  pool.on('error', () => {});
  const database = overPool(pool, clock);
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await database.close();
    throw startFailure(url, error);
  }
  return database;
}

async function answered<T>(on: ClientBase | Pool, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const { text, values } = step.value;
    const translated = text.replace(/\/\*pg (.*?)\*\//gs, '$1').replace(/\?(\d+)/g, '$$$1');
    const { rows, rowCount } = await on.query(translated, [...values]);
    step = steps.next({ rows: rows as SqlRow[], changes: rowCount ?? 0 }); // columns are checked where they are read
  }
  return step.value;
}

function overPool(pool: Pool, clock: Clock): Postgres {
  const closed = new AbortController();
  /** Retries while the database is away and after conflicts, never what may have been committed. */
  async function again<T>(attempt: () => Promise<T>): Promise<T> {
    const end = clock.now() + PATIENCE;
    for (let pause = PAUSE; ; pause = Math.min(2 * pause, 1_000)) {
      try {
        return await attempt();
      } catch (error) {
        if (
          error instanceof Unknown ||
          !(isAway(error) || CONFLICTS.includes(codeOf(error))) ||
          clock.now() + pause > end ||
          closed.signal.aborted
        )
          throw error;
        await clock.sleep(pause, closed.signal).catch(() => {});
      }
    }
  }

  /** Runs `work` as one transaction. */
  async function transact<T>(begin: string, work: () => Steps<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    // A lost connection also emits an error here; the failing statement reports it.
    const lost = () => {};
    client.on('error', lost);
    try {
      await client.query(begin);
      const result = await answered(client, work());
      await client.query('COMMIT').catch((cause: unknown) => {
        throw isAway(cause) ? new Unknown('the database was lost while it committed', { cause }) : cause;
      });
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause;
      });
      throw error;
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  }

  return {
    read: (work) => again(() => answered(pool, work())),
    // Without the sync a crash of the database's machine may lose it: fine for leases, which are renewed.
    write: (work, isDurable) =>
      again(() => transact(isDurable ? 'BEGIN' : 'BEGIN; SET LOCAL synchronous_commit = off', work)),
    snapshot: (work) => again(() => transact('BEGIN ISOLATION LEVEL REPEATABLE READ', work)),
    once(text, values) {
      // The name of the prepared statement.
      const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
      return again(async () => (await pool.query({ name, text, values: [...values] })).rows as SqlRow[]);
    },
    query: async (text, values) =>
      (await pool.query(text, values === undefined ? undefined : [...values])).rows as SqlRow[],
    async close() {
      if (closed.signal.aborted) return;
      closed.abort();
      await pool.end();
    },
  };
}

/** The connection ended between COMMIT and its answer. */
class Unknown extends Error {}

/** Serialization failure, deadlock, all connections taken. */
const CONFLICTS = ['40001', '40P01', '53300'];
/** Classes of lost connections (08) and of a database being stopped or started (57P). */
const AWAY = /^(08|57P)/;
/** ENOENT: for a Unix socket. */
const NETWORK = [...AWAY_CODES, 'ENOENT'];

function isAway(error: unknown): boolean {
  const code = codeOf(error);
  // Errors of the driver itself have no code.
  const isDriver = code === '' && error instanceof Error && /connection|timeout/i.test(error.message);
  return AWAY.test(code) || NETWORK.includes(code) || isDriver;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}

/** The Failure for a database that is unusable at the start. */
function startFailure(url: string, error: unknown): Failure {
  const where = placeOf(url);
  const reason = error instanceof Error && error.message !== '' ? error.message : codeOf(error);
  const hints: Readonly<Record<string, string>> = {
    '28P01': 'Correct the password; it may stand in a file that PDFTOOL_SERVE_DATABASE_FILE names.',
    '28000': 'Correct the user, or let it in (pg_hba.conf).',
    '3D000': 'Make the database first, as with createdb.',
  };
  return new Failure('unavailable', `the database at ${where} cannot be used: ${reason}`, {
    hint: hints[codeOf(error)] ?? 'See that it runs, and that its address is right.',
    cause: error,
  });
}

/** An address without its password. */
export function placeOf(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    return `${searchParams.get('host') ?? hostname}${port === '' ? '' : `:${port}`}${pathname}`;
  } catch {
    throw new Failure('usage', 'expected a database such as postgres://user@host/name');
  }
}

async function loadDriver(): Promise<typeof import('pg').default> {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    const message = `a database of PostgreSQL needs the package pg, which cannot be loaded: ${errnoOf(cause) ?? 'damaged'}`;
    throw new Failure('unavailable', message, {
      hint: 'Install it beside pdftool: npm install -g pg, or npx -p pdftool -p pg pdftool serve.',
      cause,
    });
  }
}
