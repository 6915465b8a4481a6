import type { Migration } from './migration.ts'

/**
 * Answers that are sent again to the same request, and which of them answered a request. They are deleted with their
 * organisation. Earlier requests were all answered by a model.
 */
export const answerCache: Migration = {
  id: 24,
  name: 'answer cache',
  sqlite: `
    CREATE TABLE cached_answers (
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      -- SHA-256 of the canonical request.
      key_hash BLOB NOT NULL,
      request_id TEXT NOT NULL,
      -- SHA-256 of facts and content.
      checksum BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      -- JSON: the id of the answer, its counts and how it ended.
      facts TEXT NOT NULL,
      -- As in replays.
      content TEXT NOT NULL,
      PRIMARY KEY (organisation_id, key_hash)
    ) STRICT;
    CREATE INDEX cached_answers_by_end ON cached_answers (expires_at, bytes, organisation_id);

    ALTER TABLE ledger_reservations ADD COLUMN cached_from TEXT;`,
  postgres: `
    CREATE TABLE cached_answers (
      rowid BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      -- SHA-256 of the canonical request.
      key_hash BYTEA NOT NULL,
      request_id TEXT NOT NULL,
      -- SHA-256 of facts and content.
      checksum BYTEA NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      bytes BIGINT NOT NULL,
      -- JSON: the id of the answer, its counts and how it ended.
      facts TEXT NOT NULL,
      -- As in replays.
      content TEXT NOT NULL,
      PRIMARY KEY (organisation_id, key_hash)
    );
    CREATE INDEX cached_answers_by_end ON cached_answers (expires_at, bytes, organisation_id);

    ALTER TABLE ledger_reservations ADD COLUMN cached_from TEXT;`,
}
