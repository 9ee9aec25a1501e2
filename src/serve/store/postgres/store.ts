import { atLast } from '../../../contract/base/closing.ts';
import { Failure } from '../../../contract/base/failure.ts';
import type { Clock } from '../../../contract/base/ports.ts';
import { command, say } from '../../../contract/base/wording.ts';
import { type Store, storeOn } from '../store.ts';
import { POSTGRES_MIGRATIONS } from '../tables.ts';
import { connect, type Postgres, placeOf } from './connect.ts';
import { inOneStatement } from './one-statement.ts';

/** Milliseconds by which the clocks of a server and of its database may differ. */
const MOST_APART = 120_000;
/** The advisory lock of a migration. */
const LOCK = 7_368_650_011;

/** The store in a database with current tables. Throws a Failure that says what is wrong. */
export async function openPostgres(url: string, clock: Clock): Promise<{ store: Store; clock: Clock }> {
  const database = await connect(url, clock);
  try {
    await assertVersion(database, url);
    await assertWritable(database, url);
    return { store: inOneStatement(storeOn(database), database), clock: await databaseClock(database, clock, url) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Migrates a database to this version in one transaction. Returns the versions before and now. */
export async function migrate(url: string, clock: Clock): Promise<{ from: number; to: number }> {
  const database = await connect(url, clock);
  await using _ = atLast(() => database.close());
  const from = await versionOf(database);
  const to = POSTGRES_MIGRATIONS.length;
  if (from > to) throw newer(url, from);
  const steps = POSTGRES_MIGRATIONS.map(
    (text, index) => `DO $step$ BEGIN
    IF (SELECT version FROM pdftool_version) = ${index} THEN
      EXECUTE $text$${text}$text$;
      UPDATE pdftool_version SET version = ${index + 1};
    END IF;
  END $step$;`,
  );
  await database.query(`BEGIN;
    SELECT pg_advisory_xact_lock(${LOCK});
    CREATE TABLE IF NOT EXISTS pdftool_version (version INTEGER NOT NULL);
    INSERT INTO pdftool_version SELECT 0 WHERE NOT EXISTS (SELECT FROM pdftool_version);
    ${steps.join('\n')}
    COMMIT;`);
  return { from, to };
}

async function versionOf(database: Postgres): Promise<number> {
  const [table] = await database.query(`SELECT to_regclass('pdftool_version') IS NOT NULL AS present`);
  if (table?.present !== true) return 0;
  const [row] = await database.query('SELECT version FROM pdftool_version');
  return Number(row?.version ?? 0);
}

async function assertVersion(database: Postgres, url: string): Promise<void> {
  const version = await versionOf(database);
  if (version > POSTGRES_MIGRATIONS.length) throw newer(url, version);
  if (version === POSTGRES_MIGRATIONS.length) return;
  const state = version === 0 ? 'has no tables of pdftool yet' : `is of version ${version}, older than this pdftool`;
  throw new Failure('usage', `the database at ${placeOf(url)} ${state}`, {
    hint: say`Bring it up to date with ${command('serve migrate')}.`,
  });
}

function newer(url: string, version: number): Failure {
  const message = `the database at ${placeOf(url)} is of version ${version}, newer than this pdftool (${POSTGRES_MIGRATIONS.length})`;
  return new Failure('usage', message, { hint: 'Use that version of pdftool, or another database.' });
}

async function assertWritable(database: Postgres, url: string): Promise<void> {
  const [row] = await database.query(`SELECT current_setting('transaction_read_only') AS closed`);
  if (row?.closed !== 'on') return;
  throw new Failure('usage', `the database at ${placeOf(url)} is read-only`, {
    hint: 'Use the primary server, not a replica, and a user that may write.',
  });
}

/** This machine's clock adjusted to the database's, so that leases of all servers share one time. */
async function databaseClock(database: Postgres, clock: Clock, url: string): Promise<Clock> {
  const before = clock.now();
  const [row] = await database.query('SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS now');
  const after = clock.now();
  const ahead = Math.round(Number(row?.now) - (before + after) / 2);
  if (Math.abs(ahead) > MOST_APART) {
    const seconds = Math.round(Math.abs(ahead) / 1000);
    const message = `the clock of this machine is ${seconds} s ${ahead > 0 ? 'behind' : 'ahead of'} that of the database at ${placeOf(url)}`;
    throw new Failure('usage', message, { hint: 'Set the clocks of both by NTP.' });
  }
  return { ...clock, now: () => clock.now() + ahead };
}
