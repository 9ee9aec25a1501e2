import type LibsqlDatabase from 'libsql';
import { Failure } from '../../contract/failure.ts';
import { errnoOf } from '../../runtime/files/file-failure.ts';
import { withoutExperimentalWarning } from '../../runtime/terminal/quiet.ts';

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** A database whose statements run at once; prepared statements are kept. */
export interface Sql {
  exec(text: string): void;
  /** Returns how many rows changed. */
  run(text: string, ...values: Value[]): number;
  get(text: string, ...values: Value[]): Row | undefined;
  all(text: string, ...values: Value[]): Row[];
  /**
   * Runs `work` as one transaction: all of it or nothing. It takes the write lock at once, so that it cannot fail half-way.
   * Inside another it is a part of that one, which goes on where the part fails. `isDurable`: on the disk when it returns.
   */
  transact<T>(work: () => T, isDurable?: boolean): T;
  close(): void;
}

interface Statement {
  run(...values: Value[]): { changes: number | bigint };
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
}

interface Database {
  exec(text: string): unknown;
  prepare(text: string): Statement;
  close(): void;
}

/** Opens or makes a database file. `nodeVersion`: node:sqlite needs no flag from 22.13 on. */
export async function openSql(path: string, nodeVersion: string): Promise<Sql> {
  const database = await open(path, nodeVersion);
  const statements = new Map<string, Statement>();
  const prepared = (text: string) => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  let depth = 0;
  /** Why nothing more may be done in a transaction: SQLite has given up all of it, such as where the disk is full. */
  let broken: Error | undefined;
  const assertWhole = () => {
    if (broken !== undefined) throw broken;
  };
  let isWaiting = true;
  /** 2 is FULL: with NORMAL a loss of power takes transactions that were acknowledged, the last ones first. */
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
          // A part that cannot be taken back alone takes all with it; a whole one has been taken back already.
          if (isPart) broken = new Error('the transaction was given up by the database', { cause });
        }
        throw error;
      } finally {
        depth -= 1;
        if (depth === 0) broken = undefined;
      }
    },
    exec: (text) => void database.exec(text),
    run(text, ...values) {
      assertWhole();
      return Number(prepared(text).run(...values).changes);
    },
    // Drivers type rows as unknown or any; columns are checked where they are read.
    get: (text, ...values) => prepared(text).get(...values) as Row | undefined,
    all: (text, ...values) => prepared(text).all(...values) as Row[],
    close() {
      statements.clear();
      database.close();
    },
  };
}

async function open(path: string, nodeVersion: string): Promise<Database> {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) {
    const { DatabaseSync } = await withoutExperimentalWarning(() => import('node:sqlite'));
    return new DatabaseSync(path);
  }
  const { default: Libsql } = await loadLibsql();
  return new Libsql(path) as unknown as Database; // its own types hold `any`; the methods are the same
}

async function loadLibsql(): Promise<{ default: typeof LibsqlDatabase }> {
  try {
    return await import('libsql');
  } catch (cause) {
    throw new Failure(
      'unavailable',
      `serve keeps its accounts in SQLite, which this Node.js has not built in, and the package libsql cannot be loaded: ${errnoOf(cause) ?? 'damaged'}`,
      {
        hint: 'Use Node.js 22.13 or newer; or install libsql beside pdftool: npm install -g libsql, or npx -p pdftool -p libsql pdftool serve.',
        cause,
      },
    );
  }
}
