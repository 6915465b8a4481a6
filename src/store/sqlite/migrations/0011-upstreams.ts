import type { Migration } from './migration.ts'

/** Upstreams that were added while the server runs. Keys are stored encrypted. */
export const upstreams: Migration = {
  id: 11,
  name: 'upstreams',
  sql: `
    CREATE TABLE upstreams (
      name TEXT NOT NULL PRIMARY KEY,
      definition TEXT,
      sealed_key TEXT,
      is_draining INTEGER NOT NULL CHECK (is_draining IN (0, 1)),
      created_at INTEGER NOT NULL
    ) STRICT;
  `,
}
