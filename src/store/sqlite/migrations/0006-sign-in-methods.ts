import type { Migration } from './migration.ts'

/**
 * Ways to sign in beside the password. Each has columns of its own, so each is a table, and the password stays where it
 * was. `challenges` are questions that wait a few minutes for their one answer. What a session proved stands with it.
 */
export const signInMethods: Migration = {
  id: 6,
  name: 'sign-in methods',
  sql: `
    CREATE TABLE totp_factors (
      account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      sealed_secret TEXT NOT NULL,
      last_step INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      -- Null until a first code showed that the app has the secret.
      confirmed_at INTEGER
    ) STRICT;

    CREATE TABLE recovery_codes (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      code_hash BLOB NOT NULL,
      PRIMARY KEY (account_id, code_hash)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE passkeys (
      id TEXT NOT NULL PRIMARY KEY,
      credential_id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      public_key BLOB NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL,
      relying_party TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER
    ) STRICT;
    CREATE INDEX passkeys_by_account ON passkeys (account_id);

    CREATE TABLE identities (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      email TEXT,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      UNIQUE (issuer, subject),
      UNIQUE (account_id, issuer)
    ) STRICT;

    CREATE TABLE challenges (
      token_hash BLOB NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
      content TEXT NOT NULL,
      tries_left INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX challenges_by_account ON challenges (account_id);
    CREATE INDEX challenges_by_end ON challenges (expires_at);

    ALTER TABLE accounts ADD COLUMN name TEXT;
    ALTER TABLE sessions ADD COLUMN has_second_factor INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN confirmed_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE organisations ADD COLUMN second_factor_required INTEGER NOT NULL DEFAULT 0;
  `,
}
