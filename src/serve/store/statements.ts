// Statements for SQLite and PostgreSQL with named values, such as :now. Only PostgreSQL gets the row locks in /*pg ...
// */. None reads stored JSON, because one account's data could make it fail for all: searched values have columns.
import { JOB_FILE_COLUMNS } from './rows.ts';

export const META = {
  get: 'SELECT value FROM meta WHERE name = :name',
  put: 'INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING',
} as const;

export const ACCOUNTS = {
  get: 'SELECT * FROM accounts WHERE id = :id',
  all: 'SELECT * FROM accounts ORDER BY created_at, id',
  grant: 'UPDATE accounts SET available = available + :amount WHERE id = :account',
  reserve: `UPDATE accounts SET available = available - :amount, reserved = reserved + :amount
    WHERE id = :account AND available >= :amount`,
  charge: 'UPDATE accounts SET reserved = reserved - :amount, used = used + :amount WHERE id = :account',
  release: 'UPDATE accounts SET reserved = reserved - :amount, available = available + :amount WHERE id = :account',
  /** Locks the account's row until the transaction ends. */
  lock: 'UPDATE accounts SET id = id WHERE id = :account',
} as const;

export const LEDGER = {
  sums: `SELECT account, kind, CAST(SUM(entries) AS BIGINT) AS entries, CAST(SUM(amount) AS BIGINT) AS amount FROM (
      SELECT account, kind, 1 AS entries, amount FROM ledger
      UNION ALL SELECT account, kind, entries, amount FROM ledger_months
    ) AS every GROUP BY account, kind`,
  days: `SELECT at / 86400000 AS day, CAST(SUM(amount) AS BIGINT) AS credits, COUNT(*) AS charges FROM ledger
    WHERE kind = 'charge' AND at >= :since GROUP BY at / 86400000 ORDER BY day`,
  oldest: `SELECT MIN(at) AS at FROM ledger WHERE kind <> 'grant' AND at < :before`,
  // Only settled entries: one with an open hold stays.
  total: `INSERT INTO ledger_months (account, month, kind, entries, amount)
    SELECT account, CAST(:month AS TEXT), kind, COUNT(*), SUM(amount) FROM ledger
      WHERE kind <> 'grant' AND at >= :from AND at < :until AND ref NOT IN (SELECT ref FROM holds) GROUP BY account, kind
    ON CONFLICT (account, month, kind) DO UPDATE SET entries = ledger_months.entries + excluded.entries,
      amount = ledger_months.amount + excluded.amount`,
  limit: 'UPDATE ledger_limit SET at = :before WHERE at < :before',
  prune: `DELETE FROM ledger WHERE kind <> 'grant' AND at < :before AND ref NOT IN (SELECT ref FROM holds)`,
} as const;

export const HOLDS = {
  /** Only the transaction that removes a hold settles it. */
  take: 'DELETE FROM holds WHERE ref = :ref RETURNING account, amount',
  leased: 'SELECT COUNT(*) AS holds FROM holds WHERE account = :account AND owner IS NOT NULL AND lease_until > :now',
  over: 'SELECT ref FROM holds WHERE lease_until < :until ORDER BY ref /*pg FOR UPDATE SKIP LOCKED */',
} as const;

export const API_KEYS = {
  /** Serializes the creation of the first key. */
  lock: 'SELECT 1 AS alone /*pg FROM pg_advisory_xact_lock(7368650012) */',
  get: 'SELECT * FROM api_keys WHERE id = :id',
  all: 'SELECT * FROM api_keys ORDER BY created_at, id',
} as const;

/** A running job that is still claimed with this token. */
export const HELD = `id = :id AND token = :token AND state = 'running'`;

/** A job that has not ended. */
export const OPEN = `state IN ('awaiting_upload', 'queued', 'running')`;

/** A job without files. */
const ENDED = `(state IN ('failed', 'expired') OR (state = 'succeeded' AND result IS NULL))`;

export const JOBS = {
  get: 'SELECT * FROM jobs WHERE id = :id',
  byUpload: 'SELECT * FROM jobs WHERE upload_id = :id',
  // A claim that ended because another server died is not an attempt.
  lapsed: `UPDATE jobs SET state = 'queued', lease_until = NULL,
    attempts = attempts - CASE WHEN owner = :owner THEN 0 ELSE 1 END WHERE state = 'running' AND lease_until < :now`,
  // The account with the fewest running jobs, then the one served longest ago. The last free worker is kept for
  // accounts without a running job if others had jobs in the last day. 'others': all workers run jobs of one account;
  // one is handed back if another waits. Accounts are found one by one in the index, so that a long queue is not read.
  nextAccount: `WITH RECURSIVE waiting (account) AS (
      SELECT MIN(account) FROM jobs WHERE state = 'queued'
      UNION ALL SELECT (SELECT MIN(account) FROM jobs WHERE state = 'queued' AND account > waiting.account)
        FROM waiting WHERE waiting.account IS NOT NULL
    )
    SELECT accounts.id FROM waiting JOIN accounts ON accounts.id = waiting.account
    LEFT JOIN (SELECT account, COUNT(*) AS jobs FROM jobs WHERE state = 'running' GROUP BY account)
      AS running ON running.account = accounts.id
    WHERE COALESCE(running.jobs, 0) < :most AND
      (:turn = 'any' OR running.jobs IS NULL OR
        (:turn = 'last' AND (SELECT COUNT(*) FROM accounts WHERE job_at > CAST(:now AS BIGINT) - 86400000) < 2))
    ORDER BY COALESCE(running.jobs, 0), accounts.job_at,
      (SELECT MIN(created_at) FROM jobs WHERE state = 'queued' AND account = accounts.id), accounts.id LIMIT 1`,
  nextJob: `SELECT id FROM jobs WHERE state = 'queued' AND account = :account ORDER BY created_at, id LIMIT 1
    /*pg FOR UPDATE SKIP LOCKED */`,
  running: `SELECT COUNT(*) AS jobs FROM jobs WHERE account = :account AND state = 'running'`,
  /** Counts no more than `most`. */
  waiting: `SELECT COUNT(*) AS jobs FROM (SELECT 1 FROM jobs WHERE state = 'queued' LIMIT :most) AS few`,
  open: `SELECT COUNT(*) FILTER (WHERE state = 'awaiting_upload') AS sessions, COUNT(*) AS jobs, CAST(COALESCE(SUM(input_bytes), 0) AS BIGINT) AS bytes
    FROM jobs WHERE account = :account AND ${OPEN}`,
  /** Bytes of the kept results of an account. Servers of earlier versions leave the column empty. */
  kept: `SELECT CAST(COALESCE(SUM(COALESCE(result_bytes, input_bytes)), 0) AS BIGINT) AS bytes FROM jobs
    WHERE account = :account AND state = 'succeeded' AND result IS NOT NULL`,
  claim: `UPDATE jobs SET token = token + 1, attempts = attempts + 1, state = 'running', owner = :owner,
    lease_until = :until, updated_at = :now WHERE id = :id RETURNING *`,
  interrupted: `UPDATE jobs SET state = 'queued', attempts = attempts - 1, lease_until = NULL, updated_at = :now
    WHERE state = 'running' AND lease_until < :until`,
  handBack: `UPDATE jobs SET state = 'queued', lease_until = NULL, attempts = attempts - :uncounted, updated_at = :now
    WHERE ${HELD}`,
  keepOptions: 'UPDATE jobs SET options = :options WHERE id = :id',
  overdue: `SELECT id, upload_id, state FROM jobs WHERE expires_at < :now
    AND (state = 'awaiting_upload' OR (state = 'succeeded' AND result IS NOT NULL)) ORDER BY id /*pg FOR UPDATE SKIP LOCKED */`,
  // An idempotency key lives as long as its job.
  forgetKeys: `DELETE FROM idempotency WHERE job IN (SELECT id FROM jobs WHERE updated_at < :before AND ${ENDED})`,
  prune: `DELETE FROM jobs WHERE updated_at < :before AND ${ENDED}`,
  activeSpeech: `SELECT COUNT(*) AS jobs FROM jobs WHERE ${OPEN} AND key_id = :key`,
  allOpen: `SELECT * FROM jobs WHERE ${OPEN} ORDER BY created_at, id LIMIT :most`,
  counts: 'SELECT state, COUNT(*) AS jobs FROM jobs GROUP BY state',
  known: `SELECT ${JOB_FILE_COLUMNS.join(', ')} FROM jobs
    WHERE ${OPEN} OR (state = 'succeeded' AND result IS NOT NULL)`,
} as const;

export const IDEMPOTENCY = {
  get: 'SELECT request_hash, job FROM idempotency WHERE account = :account AND key = :key',
} as const;
