// Statements that SQLite and PostgreSQL both understand. What stands in /*pg ... */ PostgreSQL alone reads: row locks, which
// SQLite has no need of (one writer at a time), and casts.

export const META = {
  get: 'SELECT value FROM meta WHERE name = ?',
  put: 'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING',
} as const;

export const ACCOUNTS = {
  add: 'INSERT INTO accounts (id, available, reserved, used, resets_at, created_at) VALUES (?, 0, 0, 0, ?, ?)',
  get: 'SELECT * FROM accounts WHERE id = ?',
  all: 'SELECT * FROM accounts ORDER BY created_at, id',
  grant: 'UPDATE accounts SET available = available + ? WHERE id = ?',
  reserve: 'UPDATE accounts SET available = available - ?1, reserved = reserved + ?1 WHERE id = ?2 AND available >= ?1',
  charge: 'UPDATE accounts SET reserved = reserved - ?1, used = used + ?1 WHERE id = ?2',
  release: 'UPDATE accounts SET reserved = reserved - ?1, available = available + ?1 WHERE id = ?2',
  /** The account is changed by nobody else until this transaction ends. */
  lock: 'UPDATE accounts SET id = id WHERE id = ?',
  refilled: 'UPDATE accounts SET resets_at = ? WHERE id = ?',
} as const;

export const LEDGER = {
  add: 'INSERT INTO ledger (account, kind, ref, amount, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  sums: `SELECT account, kind, CAST(SUM(entries) AS BIGINT) AS entries, CAST(SUM(amount) AS BIGINT) AS amount FROM (
      SELECT account, kind, 1 AS entries, amount FROM ledger
      UNION ALL SELECT account, kind, entries, amount FROM ledger_months
    ) AS every GROUP BY account, kind`,
  oldest: `SELECT MIN(at) AS at FROM ledger WHERE kind <> 'grant' AND at < ?`,
  // Of what is settled: an entry whose hold is open is still waited for.
  total: `INSERT INTO ledger_months (account, month, kind, entries, amount)
    SELECT account, CAST(?1 AS TEXT), kind, COUNT(*), SUM(amount) FROM ledger
      WHERE kind <> 'grant' AND at >= ?2 AND at < ?3 AND ref NOT IN (SELECT ref FROM holds) GROUP BY account, kind
    ON CONFLICT (account, month, kind) DO UPDATE SET entries = ledger_months.entries + excluded.entries,
      amount = ledger_months.amount + excluded.amount`,
  limit: 'UPDATE ledger_limit SET at = ?1 WHERE at < ?1',
  prune: `DELETE FROM ledger WHERE kind <> 'grant' AND at < ?1 AND ref NOT IN (SELECT ref FROM holds)`,
} as const;

export const HOLDS = {
  add: 'INSERT INTO holds (ref, account, amount, at, owner, lease_until) VALUES (?, ?, ?, ?, ?, ?)',
  /** Whoever removes it settles it: nobody else will find it. */
  take: 'DELETE FROM holds WHERE ref = ? RETURNING account, amount',
  extend: 'UPDATE holds SET lease_until = ? WHERE ref = ?',
  leased: 'SELECT COUNT(*) AS holds FROM holds WHERE account = ? AND owner IS NOT NULL AND lease_until > ?',
  over: 'SELECT ref FROM holds WHERE lease_until < ? ORDER BY ref /*pg FOR UPDATE SKIP LOCKED */',
} as const;

export const KEYS = {
  /** Whoever makes the first key is alone until its transaction ends. */
  lock: 'SELECT 1 AS alone /*pg FROM pg_advisory_xact_lock(7368650012) */',
  add: 'INSERT INTO api_keys (id, account, sha256, label, created_at) VALUES (?, ?, ?, ?, ?)',
  get: 'SELECT * FROM api_keys WHERE id = ?',
  all: 'SELECT * FROM api_keys ORDER BY created_at, id',
  revoke: 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
} as const;

/** Nothing of such a job is on the disk any more. */
const ENDED = `(state IN ('failed', 'expired') OR (state = 'succeeded' AND result IS NULL))`;

export const JOBS = {
  add: `INSERT INTO jobs (id, account, upload_id, workflow, options, input_bytes, max_credits, state, created_at,
    updated_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'awaiting_upload', ?, ?, ?)`,
  get: 'SELECT * FROM jobs WHERE id = ?',
  byUpload: 'SELECT * FROM jobs WHERE upload_id = ?',
  queue: `UPDATE jobs SET state = 'queued', updated_at = ?, expires_at = ? WHERE id = ? AND state = 'awaiting_upload'`,
  // What ended because another server died is no attempt of the job.
  lapsed: `UPDATE jobs SET state = 'queued', lease_until = NULL,
    attempts = attempts - CASE WHEN owner = ?1 THEN 0 ELSE 1 END WHERE state = 'running' AND lease_until < ?2`,
  // The account with fewest jobs under way, then the one that waits longest for its turn. Where one worker alone is left,
  // no account that runs a job gets it, if others have had jobs in the last day: they could have to wait for hours.
  // Accounts are found one by one in the index of what waits: however long the queue is, it is not read.
  nextAccount: `WITH RECURSIVE waiting (account) AS (
      SELECT MIN(account) FROM jobs WHERE state = 'queued'
      UNION ALL SELECT (SELECT MIN(account) FROM jobs WHERE state = 'queued' AND account > waiting.account)
        FROM waiting WHERE waiting.account IS NOT NULL
    )
    SELECT accounts.id FROM waiting JOIN accounts ON accounts.id = waiting.account
    LEFT JOIN (SELECT account, COUNT(*) AS jobs FROM jobs WHERE state = 'running' GROUP BY account)
      AS running ON running.account = accounts.id
    WHERE COALESCE(running.jobs, 0) < ?3 AND
      (?2 = 0 OR running.jobs IS NULL OR (SELECT COUNT(*) FROM accounts WHERE job_at > CAST(?1 AS BIGINT) - 86400000) < 2)
    ORDER BY COALESCE(running.jobs, 0), accounts.job_at,
      (SELECT MIN(created_at) FROM jobs WHERE state = 'queued' AND account = accounts.id), accounts.id LIMIT 1`,
  nextJob: `SELECT id FROM jobs WHERE state = 'queued' AND account = ? ORDER BY created_at, id LIMIT 1
    /*pg FOR UPDATE SKIP LOCKED */`,
  turn: 'UPDATE accounts SET job_at = ? WHERE id = ?',
  running: `SELECT COUNT(*) AS jobs FROM jobs WHERE account = ? AND state = 'running'`,
  /** No more than matter are counted. */
  waiting: `SELECT COUNT(*) AS jobs FROM (SELECT 1 FROM jobs WHERE state = 'queued' LIMIT ?) AS few`,
  open: `SELECT COUNT(*) FILTER (WHERE state = 'awaiting_upload') AS sessions, COUNT(*) AS jobs, CAST(COALESCE(SUM(input_bytes), 0) AS BIGINT) AS bytes
    FROM jobs WHERE account = ? AND state IN ('awaiting_upload', 'queued', 'running')`,
  claim: `UPDATE jobs SET token = token + 1, attempts = attempts + 1, state = 'running', owner = ?, lease_until = ?,
    updated_at = ? WHERE id = ? RETURNING *`,
  interrupted: `UPDATE jobs SET state = 'queued', attempts = attempts - 1, lease_until = NULL, updated_at = ?
    WHERE state = 'running' AND lease_until < ?`,
  heartbeat: `UPDATE jobs SET lease_until = ?, progress = ?, updated_at = ? WHERE id = ? AND token = ? AND state = 'running'`,
  handBack: `UPDATE jobs SET state = 'queued', lease_until = NULL, attempts = attempts - ?, updated_at = ?
    WHERE id = ? AND token = ? AND state = 'running'`,
  finish: `UPDATE jobs SET state = ?, lease_until = NULL, result = ?, charged = ?, error_code = ?, error_message = ?,
    updated_at = ?, expires_at = ? WHERE id = ? AND token = ? AND state = 'running'`,
  /** Of its options. */
  forgetSecrets: 'UPDATE jobs SET options = ? WHERE id = ?',
  overdue: `SELECT id, upload_id, state, options FROM jobs WHERE expires_at < ?
    AND (state = 'awaiting_upload' OR (state = 'succeeded' AND result IS NOT NULL)) ORDER BY id /*pg FOR UPDATE SKIP LOCKED */`,
  expire: `UPDATE jobs SET state = 'expired', updated_at = ? WHERE id = ? AND state = 'awaiting_upload'`,
  forget: `UPDATE jobs SET result = NULL, updated_at = ? WHERE id = ? AND state = 'succeeded'`,
  // Their idempotency keys go with them: a key is good for as long as its job is known.
  forgetKeys: `DELETE FROM idempotency WHERE job IN (SELECT id FROM jobs WHERE updated_at < ?1 AND ${ENDED})`,
  prune: `DELETE FROM jobs WHERE updated_at < ?1 AND ${ENDED}`,
  writer: `UPDATE jobs SET writer = ?1, writer_until = ?2
    WHERE id = ?3 AND (writer IS NULL OR writer = ?1 OR writer_until < ?4)`,
  activeSpeech: `SELECT COUNT(*) AS jobs FROM jobs
    WHERE state IN ('awaiting_upload', 'queued', 'running') AND options/*pg ::json*/ ->> 'key' = ?`,
  counts: 'SELECT state, COUNT(*) AS jobs FROM jobs GROUP BY state',
  known: `SELECT upload_id, id, token, state, input_bytes, result/*pg ::json*/ ->> 'name' AS name FROM jobs
    WHERE state IN ('awaiting_upload', 'queued', 'running') OR (state = 'succeeded' AND result IS NOT NULL)`,
} as const;

export const IDEMPOTENCY = {
  get: 'SELECT request_hash, job FROM idempotency WHERE account = ? AND key = ?',
  add: 'INSERT INTO idempotency (account, key, request_hash, job) VALUES (?, ?, ?, ?)',
} as const;
