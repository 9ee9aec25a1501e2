// Owns opening SQLite: the one built into Node where there is one, else libsql. Knows no table.
import type LibsqlDatabase from 'libsql';
import { Failure } from '../../contract/failure.ts';
import { errnoOf } from '../../runtime/file-failure.ts';
import { withoutExperimentalWarning } from '../../runtime/quiet.ts';

export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** A database whose statements run at once; prepared statements are kept. */
export interface Sql {
  exec(text: string): void;
  /** Returns how many rows changed. */
  run(text: string, ...values: Value[]): number;
  get(text: string, ...values: Value[]): Row | undefined;
  all(text: string, ...values: Value[]): Row[];
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
  return {
    exec: (text) => void database.exec(text),
    run: (text, ...values) => Number(prepared(text).run(...values).changes),
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

/** Runs `work` as one transaction: all of it or nothing. It takes the write lock at once, so that it cannot fail half-way. */
export function transact<T>(sql: Sql, work: () => T): T {
  sql.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    sql.exec('COMMIT');
    return result;
  } catch (error) {
    sql.exec('ROLLBACK');
    throw error;
  }
}
