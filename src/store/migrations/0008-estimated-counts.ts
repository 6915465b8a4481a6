import type { Migration } from './migration.ts'

/** Whether some counts of a request are estimates. Those of earlier requests are treated as exact. */
export const estimatedCounts: Migration = {
  id: 8,
  name: 'estimated counts',
  sqlite: `
    ALTER TABLE ledger_notes ADD COLUMN is_estimated INTEGER NOT NULL DEFAULT 0 CHECK (is_estimated IN (0, 1));
    ALTER TABLE ledger_settlements ADD COLUMN is_estimated INTEGER NOT NULL DEFAULT 0 CHECK (is_estimated IN (0, 1));
  `,
  postgres: '-- In the tables of migrations 4 and 9.',
}
