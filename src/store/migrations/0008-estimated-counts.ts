import type { Migration } from './migration.ts'

/** Counts of a request that are not all the engine's own. Those from before are taken for exact. */
export const estimatedCounts: Migration = {
  id: 8,
  name: 'estimated counts',
  sqlite: `
    ALTER TABLE ledger_notes ADD COLUMN is_estimated INTEGER NOT NULL DEFAULT 0 CHECK (is_estimated IN (0, 1));
    ALTER TABLE ledger_settlements ADD COLUMN is_estimated INTEGER NOT NULL DEFAULT 0 CHECK (is_estimated IN (0, 1));
  `,
  postgres: '-- In the tables of migrations 4 and 9.',
}
