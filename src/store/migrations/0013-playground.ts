import type { Migration } from './migration.ts'

/** Drafts are deleted with the membership, saved prompts with the account that wrote them or with the organisation. */
export const playground: Migration = {
  id: 13,
  name: 'playground',
  sqlite: `
    CREATE TABLE playground_drafts (
      account_id TEXT NOT NULL,
      organisation_id TEXT NOT NULL,
      content TEXT NOT NULL,
      version INTEGER NOT NULL,
      saved_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, organisation_id),
      FOREIGN KEY (account_id, organisation_id) REFERENCES memberships (account_id, organisation_id) ON DELETE CASCADE
    ) STRICT;

    CREATE TABLE prompts (
      id TEXT NOT NULL PRIMARY KEY,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
      created_at INTEGER NOT NULL,
      saved_at INTEGER NOT NULL,
      version INTEGER NOT NULL,
      removed_at INTEGER
    ) STRICT;
    CREATE INDEX prompts_by_organisation ON prompts (organisation_id, saved_at);
    CREATE INDEX prompts_by_account ON prompts (account_id);

    CREATE TABLE prompt_versions (
      prompt_id TEXT NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      content TEXT NOT NULL,
      saved_at INTEGER NOT NULL,
      PRIMARY KEY (prompt_id, version)
    ) STRICT;
  `,
  postgres: `
    CREATE TABLE playground_drafts (
      account_id TEXT NOT NULL,
      organisation_id TEXT NOT NULL,
      content TEXT NOT NULL,
      version BIGINT NOT NULL,
      saved_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, organisation_id),
      FOREIGN KEY (account_id, organisation_id) REFERENCES memberships (account_id, organisation_id) ON DELETE CASCADE
    );

    CREATE TABLE prompts (
      id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
      organisation_id TEXT NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
      created_at BIGINT NOT NULL,
      saved_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      removed_at BIGINT
    );
    CREATE INDEX prompts_by_organisation ON prompts (organisation_id, saved_at);
    CREATE INDEX prompts_by_account ON prompts (account_id);

    CREATE TABLE prompt_versions (
      prompt_id TEXT COLLATE "C" NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
      version BIGINT NOT NULL,
      content TEXT NOT NULL,
      saved_at BIGINT NOT NULL,
      PRIMARY KEY (prompt_id, version)
    );
  `,
}
