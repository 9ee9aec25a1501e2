import type { DatabaseSync } from 'node:sqlite';
import type LibsqlDatabase from 'libsql';
import { Failure } from '../../contract/base/failure.ts';
import { entryAt } from '../../contract/base/present.ts';
import { errnoOf } from '../../runtime/files/system/file-failure.ts';
import { withoutExperimentalWarning } from '../../runtime/terminal/quiet.ts';
import { BUSY_TIMEOUT } from './tables.ts';

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** A synchronous database with a cache of prepared statements. */
export interface Sql {
  exec(text: string): void;
  /** Returns the number of changed rows. */
  run(text: string, ...values: SqlValue[]): number;
  get(text: string, ...values: SqlValue[]): SqlRow | undefined;
  all(text: string, ...values: SqlValue[]): SqlRow[];
  /** Runs `work` as one transaction that locks at the start; nested, as a savepoint. `isDurable`: synced on return. */
  transact<T>(work: () => T, isDurable?: boolean): T;
  /** Notes that a secret was overwritten: the write-ahead log, which holds it, is emptied after the transaction. */
  forget(): void;
  close(): void;
}

type Statement = ReturnType<DatabaseSync['prepare']>;

/** Milliseconds for which emptying the log waits for readers. */
const CHECKPOINT_TIMEOUT = 200;

/** Opens or makes a database file. `nodeVersion`: node:sqlite needs no flag from 22.13 on. */
export async function openSql(path: string, nodeVersion: string): Promise<Sql> {
  const database = await open(path, nodeVersion);
  const statements = new Map<string, Statement>();
  const prepared = (text: string) => entryAt(statements, text, () => database.prepare(text));
  let depth = 0;
  /** Why the transaction cannot continue: SQLite rolled back all of it, such as on a full disk. */
  let broken: Error | undefined;
  const assertWhole = () => {
    if (broken !== undefined) throw broken;
  };
  let isCheckpointDue = false;
  /** While another process reads, the log stays; the next transaction retries. */
  const emptyLog = () => {
    database.exec(`PRAGMA busy_timeout = ${CHECKPOINT_TIMEOUT}`);
    const row = prepared('PRAGMA wal_checkpoint(TRUNCATE)').get() as SqlRow | undefined; // as of \`get\` below
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    isCheckpointDue = row?.busy !== 0;
  };
  let isWaiting = true;
  /** With NORMAL a power loss can undo the last acknowledged transactions. */
  const waitForDisk = (wanted: boolean) => {
    if (depth > 0 || wanted === isWaiting) return;
    database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    isWaiting = wanted;
  };
  return {
    transact(work, isDurable = true) {
      waitForDisk(isDurable);
      const isPart = depth > 0;
      assertWhole();
      database.exec(isPart ? 'SAVEPOINT part' : 'BEGIN IMMEDIATE');
      depth += 1;
      try {
        const result = work();
        assertWhole();
        database.exec(isPart ? 'RELEASE part' : 'COMMIT');
        return result;
      } catch (error) {
        try {
          database.exec(isPart ? 'ROLLBACK TO part; RELEASE part' : 'ROLLBACK');
        } catch (cause) {
          // A savepoint that cannot be rolled back alone ends the whole transaction.
          if (isPart) broken = new Error('the transaction was given up by the database', { cause });
        }
        throw error;
      } finally {
        depth -= 1;
        if (depth === 0) broken = undefined;
        if (depth === 0 && isCheckpointDue) emptyLog();
      }
    },
    forget() {
      isCheckpointDue = true;
    },
    exec: (text) => void database.exec(text),
    run(text, ...values) {
      assertWhole();
      return Number(prepared(text).run(...values).changes);
    },
    // Drivers type rows as unknown or any; columns are checked where they are read.
    get: (text, ...values) => prepared(text).get(...values) as SqlRow | undefined,
    all: (text, ...values) => prepared(text).all(...values) as SqlRow[],
    close() {
      statements.clear();
      database.close();
    },
  };
}

async function open(path: string, nodeVersion: string): Promise<DatabaseSync> {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) {
    const sqlite = await withoutExperimentalWarning(() => import('node:sqlite'));
    return new sqlite.DatabaseSync(path);
  }
  const { default: Libsql } = await loadLibsql();
  return new Libsql(path) as unknown as DatabaseSync; // its own types hold `any`; the methods are the same
}

async function loadLibsql(): Promise<{ default: typeof LibsqlDatabase }> {
  try {
    return await import('libsql');
  } catch (cause) {
    const message = `serve keeps its accounts in SQLite, which this Node.js has not built in, and the package libsql cannot be loaded: ${errnoOf(cause) ?? 'damaged'}`;
    throw new Failure('unavailable', message, {
      hint: 'Use Node.js 22.13 or newer; or install libsql beside pdftool: npm install -g libsql, or npx -p pdftool -p libsql pdftool serve.',
      cause,
    });
  }
}
