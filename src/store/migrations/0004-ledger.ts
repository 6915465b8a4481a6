import type { Migration } from './migration.ts'

/**
 * The ledger is append-only: reservations, checkpoints and settlements are added, never changed. Only `ledger_parties` says
 * which organisation and key a row belongs to, so that they can be pseudonymised without changing rows. `ledger_open` lists the
 * requests without a settlement, and `usage_days` has the totals; both are updated in the transaction that changes the
 * ledger. Answers stored for retries are separate and expire after a day; the index of their expiry times contains their
 * lengths, so that these can be summed without reading the answers.
 *
 * PostgreSQL has no foreign keys within the ledger, because checking one would write to the row it refers to. Decision 33 says
 * what else differs, and why.
 */
export const ledger: Migration = {
  id: 4,
  name: 'ledger, limits and replays',
  sqlite: `
    CREATE TABLE ledger_parties (
      id INTEGER NOT NULL PRIMARY KEY,
      organisation_id TEXT NOT NULL,
      key_id TEXT
    ) STRICT;
    CREATE UNIQUE INDEX ledger_parties_by_name ON ledger_parties (organisation_id, coalesce(key_id, ''));
    CREATE TABLE ledger_reservations (
      sequence INTEGER NOT NULL PRIMARY KEY,
      request_id TEXT NOT NULL UNIQUE,
      party INTEGER NOT NULL REFERENCES ledger_parties (id),
      model TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      is_stream INTEGER NOT NULL CHECK (is_stream IN (0, 1)),
      reserved_tokens INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX ledger_reservations_by_party ON ledger_reservations (party);
    CREATE TABLE ledger_notes (
      sequence INTEGER NOT NULL PRIMARY KEY,
      reservation INTEGER NOT NULL REFERENCES ledger_reservations (sequence) ON DELETE CASCADE,
      prompt_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      completion_tokens INTEGER NOT NULL,
      reasoning_tokens INTEGER NOT NULL,
      noted_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX ledger_notes_by_reservation ON ledger_notes (reservation);
    CREATE TABLE ledger_settlements (
      reservation INTEGER NOT NULL PRIMARY KEY REFERENCES ledger_reservations (sequence) ON DELETE CASCADE,
      prompt_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      completion_tokens INTEGER NOT NULL,
      reasoning_tokens INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      finish_reason TEXT,
      error TEXT,
      queue_ms INTEGER,
      first_token_ms INTEGER,
      duration_ms INTEGER NOT NULL,
      ended_at INTEGER NOT NULL,
      day INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX ledger_settlements_by_end ON ledger_settlements (ended_at);
    CREATE TABLE ledger_open (
      reservation INTEGER NOT NULL PRIMARY KEY REFERENCES ledger_reservations (sequence) ON DELETE CASCADE
    ) STRICT;
    -- Days up to this one are not wholly in the ledger any more.
    CREATE TABLE ledger_horizon (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      day INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER ledger_reservations_stay BEFORE UPDATE ON ledger_reservations
      BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
    CREATE TRIGGER ledger_notes_stay BEFORE UPDATE ON ledger_notes
      BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
    CREATE TRIGGER ledger_settlements_stay BEFORE UPDATE ON ledger_settlements
      BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
    CREATE TABLE usage_days (
      party INTEGER NOT NULL REFERENCES ledger_parties (id),
      day INTEGER NOT NULL,
      model TEXT NOT NULL,
      requests INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      client_closed INTEGER NOT NULL,
      prompt_tokens INTEGER NOT NULL,
      cached_tokens INTEGER NOT NULL,
      completion_tokens INTEGER NOT NULL,
      reasoning_tokens INTEGER NOT NULL,
      first_tokens INTEGER NOT NULL,
      first_token_ms INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL,
      PRIMARY KEY (party, day, model)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX usage_days_by_day ON usage_days (day);
    CREATE TABLE replays (
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      key_hash BLOB NOT NULL,
      body_hash BLOB NOT NULL,
      completion_id TEXT NOT NULL,
      request_id TEXT NOT NULL,
      is_stream INTEGER NOT NULL CHECK (is_stream IN (0, 1)),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (organisation_id, key_hash)
    ) STRICT;
    CREATE INDEX replays_by_end ON replays (expires_at, bytes, organisation_id);

    ALTER TABLE organisations ADD COLUMN requests_per_minute INTEGER;
    ALTER TABLE organisations ADD COLUMN tokens_per_minute INTEGER;
    ALTER TABLE organisations ADD COLUMN requests_in_flight INTEGER;
    ALTER TABLE organisations ADD COLUMN tokens_per_day INTEGER;
    ALTER TABLE organisations ADD COLUMN tokens_per_month INTEGER;
    ALTER TABLE api_keys ADD COLUMN requests_per_minute INTEGER;
    ALTER TABLE api_keys ADD COLUMN tokens_per_minute INTEGER;
    ALTER TABLE api_keys ADD COLUMN requests_in_flight INTEGER;
    ALTER TABLE api_keys ADD COLUMN tokens_per_day INTEGER;
    ALTER TABLE api_keys ADD COLUMN tokens_per_month INTEGER;
    ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT '["chat","models","completions.read","completions.write"]';
    ALTER TABLE api_keys ADD COLUMN models TEXT;
    ALTER TABLE api_keys ADD COLUMN networks TEXT;
    ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
    ALTER TABLE api_keys ADD COLUMN previous_hash BLOB;
    ALTER TABLE api_keys ADD COLUMN previous_until INTEGER;
    CREATE UNIQUE INDEX api_keys_by_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;
  `,
  postgres: `
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

    CREATE UNIQUE INDEX api_keys_by_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;
  `,
}
