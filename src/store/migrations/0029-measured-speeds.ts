import type { Migration } from './migration.ts'

/** How long the tokens of a stream took whose speed was measured; sums of the days before have none. */
export const measuredSpeeds: Migration = {
  id: 29,
  name: 'measured speeds',
  sqlite: `
    ALTER TABLE ledger_settlements ADD COLUMN timed_ms INTEGER;
    ALTER TABLE usage_days ADD COLUMN timed_tokens INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE usage_days ADD COLUMN timed_ms INTEGER NOT NULL DEFAULT 0;
  `,
  postgres: `
    ALTER TABLE ledger_settlements ADD COLUMN timed_ms BIGINT;
    ALTER TABLE usage_days ADD COLUMN timed_tokens BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE usage_days ADD COLUMN timed_ms BIGINT NOT NULL DEFAULT 0;
  `,
  readableSince: 28,
}
