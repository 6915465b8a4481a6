import type { Migration } from './migration.ts'

/** Nodes that only run models. A node of the version before is a server without a certificate. */
export const engineNodes: Migration = {
  id: 19,
  name: 'engine nodes',
  sqlite: '-- One server uses an SQLite database.',
  postgres: `
    ALTER TABLE nodes ADD COLUMN certificate TEXT NOT NULL DEFAULT '';
    ALTER TABLE nodes ADD COLUMN engine TEXT;
  `,
}
