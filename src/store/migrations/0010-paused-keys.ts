import type { Migration } from './migration.ts'

/** A key can be paused by its own organisation, whatever the server's owner has suspended. */
export const pausedKeys: Migration = {
  id: 10,
  name: 'paused keys',
  sqlite: 'ALTER TABLE api_keys ADD COLUMN paused_at INTEGER;',
  postgres: '-- In the table of migration 1.',
}
