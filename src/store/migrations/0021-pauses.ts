import type { Migration } from './migration.ts'

/** How often and for how long an answer was paused for others. Earlier requests have none. */
export const pauses: Migration = {
  id: 21,
  name: 'pauses of an answer',
  sqlite: 'ALTER TABLE ledger_settlements ADD COLUMN pauses TEXT;',
  postgres: 'ALTER TABLE ledger_settlements ADD COLUMN pauses TEXT;',
}
