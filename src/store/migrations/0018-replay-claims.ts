import type { Migration } from './migration.ts'

/** Which node executes the request for an idempotency key. With SQLite this is in the memory of the process. */
export const replayClaims: Migration = {
  id: 18,
  name: 'replay_claims',
  sqlite: '-- One server uses an SQLite database.',
  postgres: `
    CREATE TABLE replay_claims (
      organisation_id TEXT NOT NULL,
      key_hash BYTEA NOT NULL,
      node TEXT NOT NULL,
      request_id TEXT NOT NULL,
      completion_id TEXT NOT NULL,
      body_hash BYTEA NOT NULL,
      is_stream SMALLINT NOT NULL CHECK (is_stream IN (0, 1)),
      PRIMARY KEY (organisation_id, key_hash)
    );
    CREATE INDEX replay_claims_by_request ON replay_claims (request_id);
  `,
}
