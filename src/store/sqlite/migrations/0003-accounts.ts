import type { Migration } from './migration.ts'

/**
 * An account is a person; how they prove it (`credentials`) stands apart, so that one may have several ways, and passkeys
 * or a sign-in elsewhere become rows and not columns. People and organisations are many-to-many from the start.
 */
export const accounts: Migration = {
  id: 3,
  name: 'accounts',
  sql: `
    CREATE TABLE accounts (
      id TEXT NOT NULL PRIMARY KEY,
      email TEXT NOT NULL,
      email_key TEXT NOT NULL UNIQUE,
      email_verified_at INTEGER,
      is_owner INTEGER NOT NULL CHECK (is_owner IN (0, 1)),
      language TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_seen_at INTEGER
    ) STRICT;

    CREATE TABLE credentials (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      secret TEXT NOT NULL
    ) STRICT;

    CREATE UNIQUE INDEX credentials_one_password ON credentials (account_id) WHERE kind = 'password';
    CREATE INDEX credentials_by_account ON credentials (account_id);

    CREATE TABLE memberships (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, organisation_id)
    ) STRICT;

    CREATE INDEX memberships_by_organisation ON memberships (organisation_id);

    CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      token_hash BLOB NOT NULL UNIQUE,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      address TEXT NOT NULL,
      user_agent TEXT NOT NULL
    ) STRICT;

    CREATE INDEX sessions_by_account ON sessions (account_id);
    CREATE INDEX sessions_by_organisation ON sessions (organisation_id);
    CREATE INDEX sessions_by_end ON sessions (expires_at);

    CREATE TABLE links (
      token_hash BLOB NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER
    ) STRICT;

    CREATE INDEX links_by_account ON links (account_id);

    ALTER TABLE api_keys ADD COLUMN created_by TEXT REFERENCES accounts (id) ON DELETE SET NULL;
    CREATE INDEX api_keys_by_creator ON api_keys (created_by);
  `,
}
