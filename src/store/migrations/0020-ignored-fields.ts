import type { Migration } from './migration.ts'

/** The unknown fields that were left out of a request. Earlier requests have none. */
export const ignoredFields: Migration = {
  id: 20,
  name: 'ignored fields of a request',
  sqlite: 'ALTER TABLE ledger_reservations ADD COLUMN ignored_fields TEXT;',
  postgres: 'ALTER TABLE ledger_reservations ADD COLUMN ignored_fields TEXT;',
}
