import type { SharedMigration } from './migration.ts'

/** How often and for how long an answer was paused for others. Requests from before have none. */
export const pauses: SharedMigration = {
  id: 21,
  name: 'pauses of an answer',
  sql: 'ALTER TABLE ledger_settlements ADD COLUMN pauses TEXT;',
  postgres: 'ALTER TABLE ledger_settlements ADD COLUMN pauses TEXT;',
}
