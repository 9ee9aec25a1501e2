/** Times are milliseconds since the epoch. Amounts and times are whole numbers that JavaScript holds exactly. */
const FIRST = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  available BIGINT NOT NULL CHECK (available >= 0),
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  used BIGINT NOT NULL CHECK (used >= 0),
  resets_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  job_at BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE ledger (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'reserve', 'charge', 'release')),
  ref TEXT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount >= 0),
  at BIGINT NOT NULL,
  UNIQUE (account, kind, ref)
);
CREATE INDEX ledger_by_time ON ledger (at);
CREATE TABLE ledger_months (
  account TEXT NOT NULL REFERENCES accounts (id),
  month TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('reserve', 'charge', 'release')),
  entries BIGINT NOT NULL CHECK (entries > 0),
  amount BIGINT NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (account, month, kind)
);
CREATE TABLE ledger_limit (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), at BIGINT NOT NULL);
INSERT INTO ledger_limit VALUES (1, 0);
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
CREATE TABLE holds (
  ref TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  amount BIGINT NOT NULL CHECK (amount >= 0),
  at BIGINT NOT NULL,
  owner TEXT,
  lease_until BIGINT
);
CREATE INDEX holds_by_lease ON holds (lease_until);
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  sha256 TEXT NOT NULL,
  label TEXT,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  upload_id TEXT NOT NULL UNIQUE,
  workflow TEXT NOT NULL,
  options TEXT NOT NULL,
  input_bytes BIGINT NOT NULL,
  max_credits BIGINT NOT NULL,
  state TEXT NOT NULL,
  token BIGINT NOT NULL DEFAULT 0,
  attempts BIGINT NOT NULL DEFAULT 0,
  owner TEXT,
  lease_until BIGINT,
  writer TEXT,
  writer_until BIGINT NOT NULL DEFAULT 0,
  progress TEXT,
  result TEXT,
  charged BIGINT NOT NULL DEFAULT 0,
  error_code TEXT,
  error_message TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX jobs_by_state ON jobs (state, created_at);
CREATE INDEX jobs_by_account ON jobs (account, state);
CREATE INDEX jobs_by_update ON jobs (updated_at);
CREATE INDEX jobs_waiting ON jobs (account, created_at, id) WHERE state = 'queued';
CREATE INDEX jobs_running ON jobs (lease_until) WHERE state = 'running';
CREATE TABLE idempotency (
  account TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  job TEXT NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_by_job ON idempotency (job);
-- SQLite has a function of this name; here it takes keys of the first level, as '$.find'.
CREATE FUNCTION json_remove(document TEXT, VARIADIC paths TEXT[]) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT (document::jsonb - ARRAY(SELECT substr(path, 3) FROM unnest(paths) AS path))::text
$$;
`;

/** Finds the running requests of an account on all servers. */
const REQUESTS = `
CREATE INDEX holds_by_account ON holds (account) WHERE owner IS NOT NULL;
`;

/**
 * Columns for values that were read from stored JSON. For running servers of the previous version the trigger fills
 * them from the text, since JSON functions fail on escapes such as U+0000.
 */
const NAMES = `
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

/** The size of each result, for the limit per account. */
const RESULTS = `
ALTER TABLE jobs ADD COLUMN result_bytes BIGINT;
UPDATE jobs SET result_bytes = CAST(substring(result from '"bytes":([0-9]{1,15})[,}]') AS BIGINT) WHERE result IS NOT NULL;
`;

/** The migration to each version from the one before. Only ever appended to. */
export const POSTGRES_MIGRATIONS: readonly string[] = [FIRST, REQUESTS, NAMES, RESULTS];
