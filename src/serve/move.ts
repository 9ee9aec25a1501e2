// Moves a folder to PostgreSQL and S3: files first, then all rows in one transaction. It can be repeated.
import { atEnd, atLast, closing } from '../contract/base/closing.ts';
import { Failure } from '../contract/base/failure.ts';
import type { Clock } from '../contract/base/ports.ts';
import { say, setting } from '../contract/base/wording.ts';
import { joinPath, sizeOf, textOnce } from '../runtime/files/stores/blobs.ts';
import { type Blobs, blobOf } from './blobs/blobs.ts';
import { folderBlobs } from './blobs/folder.ts';
import { openS3 } from './blobs/s3.ts';
import { type BucketOptions, MARK, ownData } from './data.ts';
import { openSql, type Sql, type SqlValue } from './store/driver.ts';
import { connect } from './store/postgres/connect.ts';
import { openPostgres } from './store/postgres/store.ts';
import { createStore } from './store/sqlite.ts';
import { execute, insert, type Steps } from './store/steps.ts';
import type { Store } from './store/store.ts';

export interface Move {
  /** The data folder. */
  readonly from: string;
  readonly postgres: string;
  readonly bucket: BucketOptions;
  readonly clock: Clock;
  readonly nodeVersion: string;
  /** A fresh id for the folder and the database, where they have none. */
  readonly newId: string;
}

/** The rows and files moved by this call. No server can use the folder afterwards. */
export async function move({ from, postgres, bucket, clock, nodeVersion, newId }: Move) {
  if ((await sizeOf(joinPath(from, 'serve.db'))) === undefined) {
    throw new Failure('usage', `${from} holds no data of pdftool serve`, {
      hint: say`Name its folder with ${setting('from')}.`,
    });
  }
  const target = await openPostgres(postgres, clock);
  const rows = await connect(postgres, clock);
  await using _target = atLast(() => target.store.close());
  await using _rows = atLast(() => rows.close());
  const mark = await target.store.keep('store id', newId);
  const owned = await ownData(from, nodeVersion, mark);
  using _owned = atEnd(() => owned.release());
  const sql = await openSql(joinPath(from, 'serve.db'), nodeVersion);
  const source = createStore(sql);
  await using _source = atLast(() => source.close());
  const id = await source.keep(MOVED, newId);
  const [moved] = await rows.query('SELECT value FROM meta WHERE name = $1', [MOVED]);
  if (moved === undefined && (await target.store.accounts()).length > 0) {
    throw new Failure('conflict', 'the database has accounts of its own', { hint: 'Move to an empty one.' });
  }
  if (moved !== undefined && moved.value !== id) {
    throw new Failure('conflict', 'another folder was moved to this database', { hint: 'Move to an empty one.' });
  }
  if (moved !== undefined) return { rows: 0, files: 0 };
  using blobs = closing(await openS3(bucket, mark, clock));
  const files = await copyFiles(source, folderBlobs(from), blobs);
  // From here on no server may use the folder: its credits would be spent twice.
  await textOnce(joinPath(from, MARK), mark);
  return { rows: await rows.write(() => copyRows(sql), true), files };
}

/** The key in both databases of the id of the moved folder. */
const MOVED = 'moved from';

async function copyFiles(source: Store, from: Blobs, to: Blobs): Promise<number> {
  let copied = 0;
  for (const job of await source.jobsWithFiles()) {
    const blob = blobOf(job);
    const [bytes, there] = [await from.size(blob), await to.size(blob)];
    if (bytes === there) continue;
    if (there > 0) await to.remove(blob);
    await to.promote(await from.fetch(blob, ''), blob);
    copied += 1;
  }
  return copied;
}

/** Referenced tables come first. */
const TABLES = ['accounts', 'ledger', 'ledger_months', 'holds', 'api_keys', 'jobs', 'idempotency', 'meta'] as const;
/** Rows inserted by one statement. */
const BATCH = 100;

function* copyRows(sql: Sql): Steps<number> {
  let count = 0;
  for (const table of TABLES) {
    const rows = sql
      .all(`SELECT * FROM ${table}${table === 'ledger' ? ' ORDER BY id' : ''}`)
      .map((row) => ({ ...row }) as Record<string, SqlValue>); // SQLite holds nothing but values
    // The ledger numbers its entries itself.
    if (table === 'ledger') for (const row of rows) delete row.id;
    const conflict = table === 'meta' ? 'ON CONFLICT (name) DO UPDATE SET value = excluded.value' : '';
    for (let from = 0; from < rows.length; from += BATCH) {
      yield* insert(table, rows.slice(from, from + BATCH), conflict);
    }
    count += rows.length;
  }
  const at = sql.get('SELECT at FROM ledger_limit')?.at as SqlValue; // a table of one row
  yield* execute('UPDATE ledger_limit SET at = :at', { at });
  return count;
}
