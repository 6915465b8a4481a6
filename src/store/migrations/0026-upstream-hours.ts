import type { Migration } from './migration.ts'

/**
 * What each upstream did in an hour, by model: figures for the operator, without organisations or keys. Nothing of it is billed;
 * the ledger is. There are none of the time before.
 */
export const upstreamHours: Migration = {
  id: 26,
  name: 'figures of upstreams',
  sqlite: `
    CREATE TABLE upstream_hours (
      -- Hours since 1970.
      hour INTEGER NOT NULL,
      upstream TEXT NOT NULL,
      model TEXT NOT NULL,
      requests INTEGER NOT NULL,
      errors INTEGER NOT NULL,
      first_tokens INTEGER NOT NULL,
      first_token_ms INTEGER NOT NULL,
      -- Tokens after the first, and how long they took.
      timed_tokens INTEGER NOT NULL,
      timed_ms INTEGER NOT NULL,
      prompt_tokens INTEGER NOT NULL,
      completion_tokens INTEGER NOT NULL,
      cost INTEGER NOT NULL,
      PRIMARY KEY (hour, upstream, model)
    ) STRICT, WITHOUT ROWID;`,
  postgres: `
    CREATE TABLE upstream_hours (
      -- Hours since 1970.
      hour BIGINT NOT NULL,
      upstream TEXT NOT NULL,
      model TEXT NOT NULL,
      requests BIGINT NOT NULL,
      errors BIGINT NOT NULL,
      first_tokens BIGINT NOT NULL,
      first_token_ms BIGINT NOT NULL,
      -- Tokens after the first, and how long they took.
      timed_tokens BIGINT NOT NULL,
      timed_ms BIGINT NOT NULL,
      prompt_tokens BIGINT NOT NULL,
      completion_tokens BIGINT NOT NULL,
      cost BIGINT NOT NULL,
      PRIMARY KEY (hour, upstream, model)
    );`,
}
