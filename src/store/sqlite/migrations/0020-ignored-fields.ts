import type { SharedMigration } from './migration.ts'

/** The unknown fields that were left out of a request. Requests from before have none. */
export const ignoredFields: SharedMigration = {
  id: 20,
  name: 'ignored fields of a request',
  sql: 'ALTER TABLE ledger_reservations ADD COLUMN ignored_fields TEXT;',
  postgres: 'ALTER TABLE ledger_reservations ADD COLUMN ignored_fields TEXT;',
}
