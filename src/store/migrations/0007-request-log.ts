import type { Migration } from './migration.ts'

/**
 * What the request log shows beyond the ledger. Earlier requests have no recorded limits. Refused requests are in no total, so
 * they are separate from the ledger and are deleted with their organisation. So are the bodies of requests and answers, which
 * an organisation stores for the number of days that it chose, or not at all.
 */
export const requestLog: Migration = {
  id: 7,
  name: 'request log',
  sqlite: `
    ALTER TABLE ledger_reservations ADD COLUMN limits TEXT;

    CREATE TABLE refused_requests (
      sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      request_id TEXT NOT NULL UNIQUE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      key_id TEXT,
      model TEXT,
      endpoint TEXT NOT NULL,
      is_stream INTEGER CHECK (is_stream IN (0, 1)),
      error TEXT NOT NULL,
      refusing_limit TEXT,
      created_at INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL,
      left_out INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX refused_requests_by_organisation ON refused_requests (organisation_id, sequence);
    CREATE INDEX refused_requests_by_time ON refused_requests (created_at);

    -- Null: no bodies are kept.
    ALTER TABLE organisations ADD COLUMN body_days INTEGER;
    CREATE TABLE request_bodies (
      request_id TEXT NOT NULL PRIMARY KEY,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      is_request_cut INTEGER NOT NULL CHECK (is_request_cut IN (0, 1)),
      is_answer_cut INTEGER NOT NULL CHECK (is_answer_cut IN (0, 1)),
      request TEXT NOT NULL,
      answer TEXT
    ) STRICT;
    CREATE INDEX request_bodies_by_age ON request_bodies (organisation_id, created_at, bytes);
  `,
  postgres: `
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
  `,
}
