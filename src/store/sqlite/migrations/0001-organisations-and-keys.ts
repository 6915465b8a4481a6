import type { Migration } from './migration.ts'

export const organisationsAndKeys: Migration = {
  id: 1,
  name: 'organisations and keys',
  sql: `
    CREATE TABLE organisations (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE api_keys (
      id TEXT NOT NULL PRIMARY KEY,
      organisation_id TEXT NOT NULL REFERENCES organisations (id),
      name TEXT NOT NULL,
      secret_hash BLOB NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      last_four TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER
    ) STRICT;

    CREATE INDEX api_keys_by_organisation ON api_keys (organisation_id);

    CREATE TABLE write_checks (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      checked_at INTEGER NOT NULL
    ) STRICT;
  `,
}
