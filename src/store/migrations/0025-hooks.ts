import type { Migration } from './migration.ts'

/** What hooks did with a request. Earlier requests have none. */
export const hooks: Migration = {
  id: 25,
  name: 'hooks of a request',
  sqlite: `
    ALTER TABLE ledger_settlements ADD COLUMN hooks TEXT;
    ALTER TABLE refused_requests ADD COLUMN hooks TEXT;`,
  postgres: `
    ALTER TABLE ledger_settlements ADD COLUMN hooks TEXT;
    ALTER TABLE refused_requests ADD COLUMN hooks TEXT;`,
}
