/** Milliseconds that a statement waits for another process. */
export const BUSY_TIMEOUT = 15_000;

export const PRAGMAS = `
PRAGMA busy_timeout = ${BUSY_TIMEOUT};
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
`;

// The tables of both databases, written as SQLite takes them. Times are milliseconds since the epoch. Amounts and times are
// whole numbers that JavaScript holds exactly.

const TABLES = `
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

const SQLITE_TRIGGERS = `
CREATE TRIGGER IF NOT EXISTS ledger_keeps BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER IF NOT EXISTS ledger_stays BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
`;

const SQLITE_MONTHS = `
CREATE TRIGGER ledger_limit_rises BEFORE UPDATE ON ledger_limit WHEN NEW.at < OLD.at
  BEGIN SELECT RAISE(ABORT, 'the limit of the ledger only rises'); END;
DROP TRIGGER ledger_stays;
CREATE TRIGGER ledger_stays BEFORE DELETE ON ledger WHEN OLD.kind = 'grant' OR OLD.at >= (SELECT at FROM ledger_limit)
  BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
`;

/** Columns for values read from stored JSON, which SQLite's functions refuse at 1,000 levels: such rows keep none. */
const SQLITE_NAMES = `
ALTER TABLE jobs ADD COLUMN key_id TEXT;
ALTER TABLE jobs ADD COLUMN result_name TEXT;
UPDATE jobs SET result_name = json_extract(result, '$.name') WHERE json_valid(result);
UPDATE jobs SET key_id = CAST(json_extract(options, '$.key') AS TEXT) WHERE json_valid(options);
CREATE INDEX jobs_by_key ON jobs (key_id) WHERE key_id IS NOT NULL;
`;

/** The size of each result, for the limit per account. */
const SQLITE_RESULTS = `
ALTER TABLE jobs ADD COLUMN result_bytes INTEGER;
UPDATE jobs SET result_bytes = CAST(json_extract(result, '$.bytes') AS INTEGER) WHERE json_valid(result);
`;

/** The migration to each version from the one before. Only ever appended to. */
export const SQLITE_MIGRATIONS: readonly string[] = [
  TABLES + SQLITE_TRIGGERS,
  LEASES,
  MONTHS + SQLITE_MONTHS,
  TURNS,
  REQUESTS,
  SQLITE_NAMES,
  SQLITE_RESULTS,
];

const POSTGRES_TRIGGERS = `
CREATE FUNCTION ledger_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.kind <> 'grant' AND OLD.at < (SELECT at FROM ledger_limit) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the ledger only grows';
END $$;
CREATE TRIGGER ledger_grows BEFORE UPDATE OR DELETE ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_grows();
CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION ledger_grows();
CREATE FUNCTION ledger_limit_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.at < OLD.at THEN
    RAISE EXCEPTION 'the limit of the ledger only rises';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ledger_limit_rises BEFORE UPDATE ON ledger_limit FOR EACH ROW EXECUTE FUNCTION ledger_limit_rises();
CREATE INDEX holds_by_lease ON holds (lease_until);
CREATE INDEX jobs_running ON jobs (lease_until) WHERE state = 'running';
-- SQLite has a function of this name; here it takes keys of the first level, as '$.find'.
CREATE FUNCTION json_remove(document TEXT, VARIADIC paths TEXT[]) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT (document::jsonb - ARRAY(SELECT substr(path, 3) FROM unnest(paths) AS path))::text
$$;
`;

/**
 * Columns for values that were read from stored JSON. For running servers of the previous version the trigger fills
 * them from the text, since JSON functions fail on escapes such as U+0000.
 */
const POSTGRES_NAMES = `
ALTER TABLE jobs ADD COLUMN key_id TEXT;
ALTER TABLE jobs ADD COLUMN result_name TEXT;
CREATE FUNCTION jobs_named() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.result IS NULL THEN
    NEW.result_name := NULL;
  ELSIF NEW.result_name IS NULL THEN
    NEW.result_name := substring(NEW.result from '^[{]"name":"([^"]+)"');
  END IF;
  IF NEW.key_id IS NULL THEN
    NEW.key_id := substring(right(NEW.options, 80) from '"key":"([0-9a-f]+)"[}]$');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jobs_named BEFORE INSERT OR UPDATE OF result, options ON jobs FOR EACH ROW EXECUTE FUNCTION jobs_named();
UPDATE jobs SET options = options;
CREATE INDEX jobs_by_key ON jobs (key_id) WHERE key_id IS NOT NULL;
`;

const POSTGRES_RESULTS = `
ALTER TABLE jobs ADD COLUMN result_bytes BIGINT;
UPDATE jobs SET result_bytes = CAST(substring(result from '"bytes":([0-9]{1,15})[,}]') AS BIGINT) WHERE result IS NOT NULL;
`;

/** Statements for PostgreSQL, whose integers of this size have another name, and whose tables are strict. */
function forPostgres(text: string): string {
  const numbered = text.replace('id INTEGER PRIMARY KEY', 'id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY');
  return numbered.replaceAll(' INTEGER', ' BIGINT').replaceAll(' STRICT', '');
}

/** The same for PostgreSQL, which came later. */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  forPostgres(TABLES + LEASES + MONTHS + TURNS) + POSTGRES_TRIGGERS,
  REQUESTS,
  POSTGRES_NAMES,
  POSTGRES_RESULTS,
];
