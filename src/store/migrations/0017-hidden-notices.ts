import type { Migration } from './migration.ts'

/** Hidden notices are deleted with the account. */
export const hiddenNotices: Migration = {
  id: 17,
  name: 'hidden notices',
  sqlite: `
    CREATE TABLE hidden_notices (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      what TEXT NOT NULL CHECK (what IN ('kind', 'notice', 'checklist')),
      name TEXT NOT NULL,
      hidden_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, what, name)
    ) STRICT;
  `,
  postgres: `
    CREATE TABLE hidden_notices (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      what TEXT NOT NULL CHECK (what IN ('kind', 'notice', 'checklist')),
      name TEXT NOT NULL,
      hidden_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, what, name)
    );
  `,
}
