/**
 * The ledger, its totals, the request log, stored bodies and replays. Names and meanings are those of SQLite's tables;
 * docs/decisions/0033-ledger-on-postgresql.md says what differs and why. Rows of the ledger are only ever added and, when
 * they are old, removed: without foreign keys between them, because checking one would write to the row it refers to.
 */
export const ledgerSchema = `
  CREATE TABLE ledger_parties (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    organisation_id TEXT NOT NULL,
    key_id TEXT
  );
  CREATE UNIQUE INDEX ledger_parties_by_name ON ledger_parties (organisation_id, coalesce(key_id, ''));

  -- Added to PostgreSQL's transaction ids, which begin again in another cluster, as after a dump was restored.
  CREATE TABLE ledger_epoch (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    xid_offset BIGINT NOT NULL
  );
  INSERT INTO ledger_epoch VALUES (1, 0);
  -- Every reservation of the node from transactions before this one is settled.
  CREATE TABLE ledger_nodes (
    node TEXT PRIMARY KEY,
    settled_before BIGINT NOT NULL
  );

  CREATE TABLE ledger_reservations (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The transaction that wrote it: sequences alone are not in the order of commits.
    transaction_id BIGINT NOT NULL,
    -- Which server runs it, and settles it after a crash.
    node TEXT NOT NULL,
    request_id TEXT NOT NULL UNIQUE,
    party BIGINT NOT NULL,
    model TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    is_stream SMALLINT NOT NULL CHECK (is_stream IN (0, 1)),
    reserved_tokens BIGINT NOT NULL,
    price TEXT,
    reserved_cost BIGINT,
    limits TEXT,
    created_at BIGINT NOT NULL
  );
  CREATE INDEX ledger_reservations_by_party ON ledger_reservations (party, transaction_id, sequence);
  CREATE INDEX ledger_reservations_by_transaction ON ledger_reservations
    USING brin (transaction_id, created_at) WITH (autosummarize = on);

  CREATE TABLE ledger_progress (
    reservation BIGINT PRIMARY KEY,
    prompt_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL,
    completion_tokens BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    is_estimated SMALLINT NOT NULL CHECK (is_estimated IN (0, 1)),
    written_at BIGINT NOT NULL
  -- Room on each page, so that the next checkpoint replaces the last one in place.
  ) WITH (fillfactor = 50);

  CREATE TABLE ledger_settlements (
    reservation BIGINT PRIMARY KEY,
    prompt_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL,
    completion_tokens BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    is_estimated SMALLINT NOT NULL CHECK (is_estimated IN (0, 1)),
    outcome TEXT NOT NULL,
    finish_reason TEXT,
    error TEXT,
    queue_ms BIGINT,
    first_token_ms BIGINT,
    duration_ms BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    day INTEGER NOT NULL,
    cost BIGINT CHECK (cost >= 0),
    route TEXT
  );
  CREATE INDEX ledger_settlements_by_end ON ledger_settlements (ended_at);

  CREATE FUNCTION ledger_stays() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the ledger is append-only'; END
  $$;
  CREATE TRIGGER ledger_reservations_stay BEFORE UPDATE ON ledger_reservations
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_stays();
  CREATE TRIGGER ledger_settlements_stay BEFORE UPDATE ON ledger_settlements
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_stays();

  -- Days up to this one are not wholly in the ledger any more.
  CREATE TABLE ledger_horizon (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    day INTEGER NOT NULL
  );

  CREATE TABLE usage_days (
    party BIGINT NOT NULL,
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    requests BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    client_closed BIGINT NOT NULL,
    estimated BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    prompt_tokens BIGINT NOT NULL,
    cached_tokens BIGINT NOT NULL,
    completion_tokens BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    first_tokens BIGINT NOT NULL,
    first_token_ms BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    PRIMARY KEY (party, day, model)
  ) WITH (fillfactor = 70);
  CREATE INDEX usage_days_by_day ON usage_days (day);

  CREATE TABLE refused_requests (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction_id BIGINT NOT NULL,
    request_id TEXT NOT NULL UNIQUE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    key_id TEXT,
    model TEXT,
    endpoint TEXT NOT NULL,
    is_stream SMALLINT CHECK (is_stream IN (0, 1)),
    error TEXT NOT NULL,
    refusing_limit TEXT,
    created_at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    left_out BIGINT NOT NULL
  );
  CREATE INDEX refused_requests_by_organisation ON refused_requests (organisation_id, transaction_id, sequence);
  CREATE INDEX refused_requests_by_time ON refused_requests (created_at);

  CREATE TABLE request_bodies (
    rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
    request_id TEXT PRIMARY KEY,
    organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    is_request_cut SMALLINT NOT NULL CHECK (is_request_cut IN (0, 1)),
    is_answer_cut SMALLINT NOT NULL CHECK (is_answer_cut IN (0, 1)),
    request TEXT NOT NULL,
    answer TEXT
  );
  CREATE INDEX request_bodies_by_age ON request_bodies (organisation_id, created_at, bytes);

  CREATE TABLE replays (
    rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
    organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
    key_hash BYTEA NOT NULL,
    body_hash BYTEA NOT NULL,
    completion_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    is_stream SMALLINT NOT NULL CHECK (is_stream IN (0, 1)),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (organisation_id, key_hash)
  );
  CREATE INDEX replays_by_end ON replays (expires_at, bytes, organisation_id);
`
