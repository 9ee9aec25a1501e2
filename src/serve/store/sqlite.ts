import { Failure } from '../../contract/base/failure.ts';
import { say, setting } from '../../contract/base/wording.ts';
import type { Sql } from './driver.ts';
import { countColumn } from './rows.ts';
import { JOBS } from './statements.ts';
import { bound, type Steps } from './steps.ts';
import { type Store, storeOn } from './store.ts';
import { PRAGMAS, SQLITE_MIGRATIONS } from './tables.ts';

/** The store on an open database; its tables are created or migrated. */
export function createStore(sql: Sql): Store {
  sql.exec(PRAGMAS);
  migrate(sql);
  // Each transaction is done before its method returns; it is synced unless part of an unsynced one.
  const whole = async <T>(work: () => Steps<T>) => sql.transact(() => answered(sql, work()));
  const read = async <T>(work: () => Steps<T>) => answered(sql, work());
  return storeOn({ read, write: whole, snapshot: whole, close: async () => sql.close() });
}

/** The statement that removes redaction terms. */
const { text: FORGETS } = bound(JOBS.keepOptions, { options: null, id: null });

function answered<T>(sql: Sql, steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) {
    const { text, values, isQuery } = step.value;
    if (text === FORGETS) sql.forget();
    step = steps.next(
      isQuery ? { rows: sql.all(text, ...values), changes: 0 } : { rows: [], changes: sql.run(text, ...values) },
    );
  }
  return step.value;
}

/** Migrates the tables of an older version in one transaction. */
function migrate(sql: Sql): void {
  sql.transact(() => {
    const row = sql.get('PRAGMA user_version');
    const version = row === undefined ? 0 : countColumn(row, 'user_version');
    if (version > SQLITE_MIGRATIONS.length) {
      throw new Failure('usage', 'the data folder was written by a newer pdftool serve', {
        hint: say`Use that version, or choose another folder with ${setting('data')}.`,
      });
    }
    for (const step of SQLITE_MIGRATIONS.slice(version)) sql.exec(step);
    if (version < SQLITE_MIGRATIONS.length) sql.exec(`PRAGMA user_version = ${SQLITE_MIGRATIONS.length}`);
  });
}
