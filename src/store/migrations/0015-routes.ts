import type { Migration } from './migration.ts'

/** Which upstreams answered a request. Earlier requests have none. */
export const routes: Migration = {
  id: 15,
  name: 'upstreams of a request',
  sqlite: 'ALTER TABLE ledger_settlements ADD COLUMN route TEXT;',
  postgres: '-- In the table of migration 4.',
}
