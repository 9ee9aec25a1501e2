/** Milliseconds that a statement waits for another process. */
export const BUSY_TIMEOUT = 15_000;

export const PRAGMAS = `
PRAGMA busy_timeout = ${BUSY_TIMEOUT};
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

/** Leases: which server owns the hold of a request, or runs a job. Holds of jobs have none. */
const LEASES = `
ALTER TABLE holds ADD COLUMN owner TEXT;
ALTER TABLE holds ADD COLUMN lease_until INTEGER;
UPDATE holds SET lease_until = 0 WHERE ref LIKE 'request:%';
ALTER TABLE jobs ADD COLUMN owner TEXT;
-- When the last job of the account was taken up: accounts take turns.
ALTER TABLE accounts ADD COLUMN job_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_by_account ON jobs (account, state);
`;

/** Old ledger entries become monthly sums, the only way to delete them. Grants stay, so that none is repeated. */
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

/** Finds the next job of an account; and which server writes an upload, which two must not do at once. */
const TURNS = `
CREATE INDEX jobs_waiting ON jobs (account, created_at, id) WHERE state = 'queued';
ALTER TABLE jobs ADD COLUMN writer TEXT;
ALTER TABLE jobs ADD COLUMN writer_until INTEGER NOT NULL DEFAULT 0;
`;

/** Finds the running requests of an account on all servers. */
const REQUESTS = `
CREATE INDEX holds_by_account ON holds (account) WHERE owner IS NOT NULL;
`;

/** Columns for values read from stored JSON, which SQLite's functions refuse at 1,000 levels: such rows keep none. */
const NAMES = `
ALTER TABLE jobs ADD COLUMN key_id TEXT;
ALTER TABLE jobs ADD COLUMN result_name TEXT;
UPDATE jobs SET result_name = json_extract(result, '$.name') WHERE json_valid(result);
UPDATE jobs SET key_id = CAST(json_extract(options, '$.key') AS TEXT) WHERE json_valid(options);
CREATE INDEX jobs_by_key ON jobs (key_id) WHERE key_id IS NOT NULL;
`;

/** The size of each result, for the limit per account. */
const RESULTS = `
ALTER TABLE jobs ADD COLUMN result_bytes INTEGER;
UPDATE jobs SET result_bytes = CAST(json_extract(result, '$.bytes') AS INTEGER) WHERE json_valid(result);
`;

/** The migration to each version from the one before. Only ever appended to. */
export const SQLITE_MIGRATIONS: readonly string[] = [FIRST, LEASES, MONTHS, TURNS, REQUESTS, NAMES, RESULTS];
