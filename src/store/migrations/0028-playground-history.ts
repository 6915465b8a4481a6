import type { Migration } from './migration.ts'

/**
 * The conversations that members had in the playground, and copies of branches that they share. A conversation is deleted with the
 * membership, its shared copies with the conversation.
 */
export const playgroundHistory: Migration = {
  id: 28,
  name: 'playground history',
  sqlite: `
    CREATE TABLE playground_conversations (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL,
      organisation_id TEXT NOT NULL,
      title TEXT NOT NULL,
      is_pinned INTEGER NOT NULL CHECK (is_pinned IN (0, 1)),
      -- Counts the saves of the content.
      version INTEGER NOT NULL,
      -- Of the content and of what is searched.
      bytes INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      saved_at INTEGER NOT NULL,
      -- The messages in lower case.
      search_text TEXT NOT NULL,
      content TEXT NOT NULL,
      FOREIGN KEY (account_id, organisation_id) REFERENCES memberships (account_id, organisation_id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX playground_conversations_by_member ON playground_conversations (account_id, organisation_id, saved_at, bytes);
    CREATE INDEX playground_conversations_by_age ON playground_conversations (saved_at);

    CREATE TABLE playground_shares (
      id TEXT NOT NULL PRIMARY KEY,
      conversation_id TEXT NOT NULL REFERENCES playground_conversations (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      content TEXT NOT NULL
    ) STRICT;
    CREATE INDEX playground_shares_by_conversation ON playground_shares (conversation_id);
  `,
  postgres: `
    CREATE TABLE playground_conversations (
      id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL,
      organisation_id TEXT NOT NULL,
      title TEXT NOT NULL,
      is_pinned INTEGER NOT NULL CHECK (is_pinned IN (0, 1)),
      -- Counts the saves of the content.
      version BIGINT NOT NULL,
      -- Of the content and of what is searched.
      bytes BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      saved_at BIGINT NOT NULL,
      -- The messages in lower case.
      search_text TEXT NOT NULL,
      content TEXT NOT NULL,
      FOREIGN KEY (account_id, organisation_id) REFERENCES memberships (account_id, organisation_id) ON DELETE CASCADE
    );
    CREATE INDEX playground_conversations_by_member ON playground_conversations (account_id, organisation_id, saved_at, bytes);
    CREATE INDEX playground_conversations_by_age ON playground_conversations (saved_at);

    CREATE TABLE playground_shares (
      id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
      conversation_id TEXT COLLATE "C" NOT NULL REFERENCES playground_conversations (id) ON DELETE CASCADE,
      created_at BIGINT NOT NULL,
      content TEXT NOT NULL
    );
    CREATE INDEX playground_shares_by_conversation ON playground_shares (conversation_id);
  `,
}
