export const PRAGMAS = `
PRAGMA busy_timeout = 15000;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
`;

/** Times are milliseconds since the epoch. */
const FIRST = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS accounts (
  id TEXT PRIMARY KEY,
  available INTEGER NOT NULL CHECK (available >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  used INTEGER NOT NULL CHECK (used >= 0),
  resets_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS ledger (
  id INTEGER PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'reserve', 'charge', 'release')),
  ref TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  at INTEGER NOT NULL,
  UNIQUE (account, kind, ref)
) STRICT;
CREATE TRIGGER IF NOT EXISTS ledger_keeps BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER IF NOT EXISTS ledger_stays BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TABLE IF NOT EXISTS holds (
  ref TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS api_keys (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  sha256 TEXT NOT NULL,
  label TEXT,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  upload_id TEXT NOT NULL UNIQUE,
  workflow TEXT NOT NULL,
  options TEXT NOT NULL,
  input_bytes INTEGER NOT NULL,
  max_credits INTEGER NOT NULL,
  state TEXT NOT NULL,
  token INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER,
  progress TEXT,
  result TEXT,
  charged INTEGER NOT NULL DEFAULT 0,
  error_code TEXT,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, created_at);
CREATE TABLE IF NOT EXISTS idempotency (
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  job TEXT NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (account, key)
) STRICT;
`;

/** Leases: which server holds what is set aside for a request, or runs a job. What jobs set aside has none. */
const LEASES = `
ALTER TABLE holds ADD COLUMN owner TEXT;
ALTER TABLE holds ADD COLUMN lease_until INTEGER;
UPDATE holds SET lease_until = 0 WHERE ref LIKE 'request:%';
ALTER TABLE jobs ADD COLUMN owner TEXT;
-- When the last job of the account was taken up: accounts take turns.
ALTER TABLE accounts ADD COLUMN job_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_by_account ON jobs (account, state);
`;

/**
 * Old entries of the ledger go into sums by month, which is the one way in which they may leave it: what is younger than
 * the limit still cannot be taken away. Grants stay, so that a pack of credits cannot be granted twice.
 */
const MONTHS = `
CREATE TABLE ledger_months (
  account TEXT NOT NULL REFERENCES accounts (id),
  month TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('reserve', 'charge', 'release')),
  entries INTEGER NOT NULL CHECK (entries > 0),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (account, month, kind)
) STRICT;
CREATE TABLE ledger_limit (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), at INTEGER NOT NULL) STRICT;
INSERT INTO ledger_limit VALUES (1, 0);
CREATE TRIGGER ledger_limit_rises BEFORE UPDATE ON ledger_limit WHEN NEW.at < OLD.at
  BEGIN SELECT RAISE(ABORT, 'the limit of the ledger only rises'); END;
DROP TRIGGER ledger_stays;
CREATE TRIGGER ledger_stays BEFORE DELETE ON ledger WHEN OLD.kind = 'grant' OR OLD.at >= (SELECT at FROM ledger_limit)
  BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE INDEX ledger_by_time ON ledger (at);
CREATE INDEX jobs_by_update ON jobs (updated_at);
CREATE INDEX idempotency_by_job ON idempotency (job);
`;

/** What makes the tables of each version out of those of the one before; they are only ever added to. */
export const MIGRATIONS: readonly string[] = [FIRST, LEASES, MONTHS];

export const META = {
  get: 'SELECT value FROM meta WHERE name = ?',
  put: 'INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)',
} as const;

export const ACCOUNTS = {
  add: 'INSERT INTO accounts (id, available, reserved, used, resets_at, created_at) VALUES (?, 0, 0, 0, ?, ?)',
  get: 'SELECT * FROM accounts WHERE id = ?',
  all: 'SELECT * FROM accounts ORDER BY created_at, id',
  grant: 'UPDATE accounts SET available = available + ? WHERE id = ?',
  reserve: 'UPDATE accounts SET available = available - ?1, reserved = reserved + ?1 WHERE id = ?2 AND available >= ?1',
  charge: 'UPDATE accounts SET reserved = reserved - ?1, used = used + ?1 WHERE id = ?2',
  release: 'UPDATE accounts SET reserved = reserved - ?1, available = available + ?1 WHERE id = ?2',
  refilled: 'UPDATE accounts SET resets_at = ? WHERE id = ?',
} as const;

export const LEDGER = {
  add: 'INSERT OR IGNORE INTO ledger (account, kind, ref, amount, at) VALUES (?, ?, ?, ?, ?)',
  sums: `SELECT account, kind, SUM(entries) AS entries, SUM(amount) AS amount FROM (
      SELECT account, kind, 1 AS entries, amount FROM ledger
      UNION ALL SELECT account, kind, entries, amount FROM ledger_months
    ) GROUP BY account, kind`,
  // Of what is settled: an entry whose hold is open is still waited for.
  total: `INSERT INTO ledger_months (account, month, kind, entries, amount)
    SELECT account, strftime('%Y-%m', at / 1000, 'unixepoch'), kind, COUNT(*), SUM(amount) FROM ledger
      WHERE kind <> 'grant' AND at < ?1 AND ref NOT IN (SELECT ref FROM holds) GROUP BY 1, 2, 3
    ON CONFLICT (account, month, kind) DO UPDATE SET entries = entries + excluded.entries, amount = amount + excluded.amount`,
  limit: 'UPDATE ledger_limit SET at = MAX(at, ?)',
  prune: `DELETE FROM ledger WHERE kind <> 'grant' AND at < ?1 AND ref NOT IN (SELECT ref FROM holds)`,
} as const;

export const HOLDS = {
  add: 'INSERT INTO holds (ref, account, amount, at, owner, lease_until) VALUES (?, ?, ?, ?, ?, ?)',
  get: 'SELECT account, amount FROM holds WHERE ref = ?',
  remove: 'DELETE FROM holds WHERE ref = ?',
  extend: 'UPDATE holds SET lease_until = ? WHERE ref = ?',
  over: 'SELECT ref FROM holds WHERE lease_until < ?',
} as const;

export const KEYS = {
  add: 'INSERT INTO api_keys (id, account, sha256, label, created_at) VALUES (?, ?, ?, ?, ?)',
  get: 'SELECT * FROM api_keys WHERE id = ?',
  all: 'SELECT * FROM api_keys ORDER BY created_at, id',
  revoke: 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
} as const;

/** What a redaction looks for (WORKFLOWS.redaction.secret) is kept no longer than the job needs it. */
const WITHOUT_SECRETS = `options = json_remove(options, '$.find', '$.regex')`;

/** Nothing of such a job is on the disk any more. */
const ENDED = `(state IN ('failed', 'expired') OR (state = 'succeeded' AND result IS NULL))`;

export const JOBS = {
  add: `INSERT INTO jobs (id, account, upload_id, workflow, options, input_bytes, max_credits, state, created_at,
    updated_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'awaiting_upload', ?, ?, ?)`,
  get: 'SELECT * FROM jobs WHERE id = ?',
  byUpload: 'SELECT * FROM jobs WHERE upload_id = ?',
  queue: `UPDATE jobs SET state = 'queued', updated_at = ?, expires_at = ? WHERE id = ? AND state = 'awaiting_upload'`,
  // The account with fewest jobs under way, then the one that waits longest for its turn. Where one worker alone is left,
  // no account that runs a job gets it, if others have had jobs in the last day: they could have to wait for hours.
  next: `SELECT jobs.id FROM jobs JOIN accounts ON accounts.id = jobs.account
    LEFT JOIN (SELECT account, COUNT(*) AS jobs FROM jobs WHERE state = 'running' AND lease_until >= ?1 GROUP BY account)
      AS running ON running.account = jobs.account
    WHERE (jobs.state = 'queued' OR (jobs.state = 'running' AND jobs.lease_until < ?1))
      AND (?2 = 0 OR running.jobs IS NULL OR (SELECT COUNT(*) FROM accounts WHERE job_at > ?1 - 86400000) < 2)
    ORDER BY COALESCE(running.jobs, 0), accounts.job_at, jobs.created_at, jobs.id LIMIT 1`,
  turn: 'UPDATE accounts SET job_at = ? WHERE id = (SELECT account FROM jobs WHERE id = ?)',
  open: `SELECT COUNT(*) FILTER (WHERE state = 'awaiting_upload') AS sessions, COALESCE(SUM(input_bytes), 0) AS bytes
    FROM jobs WHERE account = ? AND state IN ('awaiting_upload', 'queued', 'running')`,
  // What ended because another server died is no attempt of the job.
  claim: `UPDATE jobs SET token = token + 1, attempts = attempts + (state = 'queued' OR owner IS ?1), state = 'running',
    owner = ?1, lease_until = ?2, updated_at = ?3 WHERE id = ?4`,
  interrupted: `UPDATE jobs SET state = 'queued', attempts = attempts - 1, lease_until = NULL, updated_at = ?
    WHERE state = 'running' AND lease_until < ?`,
  heartbeat: `UPDATE jobs SET lease_until = ?, progress = ?, updated_at = ? WHERE id = ? AND token = ? AND state = 'running'`,
  handBack: `UPDATE jobs SET state = 'queued', lease_until = NULL, attempts = attempts - ?, updated_at = ?
    WHERE id = ? AND token = ? AND state = 'running'`,
  finish: `UPDATE jobs SET state = ?, lease_until = NULL, result = ?, charged = ?, error_code = ?, error_message = ?,
    updated_at = ?, expires_at = ?, ${WITHOUT_SECRETS} WHERE id = ? AND token = ? AND state = 'running'`,
  overdue: `SELECT id, upload_id, state FROM jobs WHERE expires_at < ?
    AND (state = 'awaiting_upload' OR (state = 'succeeded' AND result IS NOT NULL))`,
  expire: `UPDATE jobs SET state = 'expired', updated_at = ?, ${WITHOUT_SECRETS} WHERE id = ? AND state = 'awaiting_upload'`,
  forget: `UPDATE jobs SET result = NULL, updated_at = ? WHERE id = ? AND state = 'succeeded'`,
  // Their idempotency keys go with them: a key is good for as long as its job is known.
  forgetKeys: `DELETE FROM idempotency WHERE job IN (SELECT id FROM jobs WHERE updated_at < ?1 AND ${ENDED})`,
  prune: `DELETE FROM jobs WHERE updated_at < ?1 AND ${ENDED}`,
  activeSpeech: `SELECT COUNT(*) AS jobs FROM jobs
    WHERE state IN ('awaiting_upload', 'queued', 'running') AND json_extract(options, '$.key') = ?`,
  counts: 'SELECT state, COUNT(*) AS jobs FROM jobs GROUP BY state',
  known: `SELECT upload_id, id, token, state, input_bytes, json_extract(result, '$.name') AS name FROM jobs
    WHERE state IN ('awaiting_upload', 'queued', 'running') OR (state = 'succeeded' AND result IS NOT NULL)`,
} as const;

export const IDEMPOTENCY = {
  get: 'SELECT request_hash, job FROM idempotency WHERE account = ? AND key = ?',
  add: 'INSERT INTO idempotency (account, key, request_hash, job) VALUES (?, ?, ?, ?)',
} as const;
