import type { Migration } from './migration.ts'

/** An organisation can pause its keys, independently of suspensions by the server's owner. */
export const pausedKeys: Migration = {
  id: 10,
  name: 'paused keys',
  sqlite: 'ALTER TABLE api_keys ADD COLUMN paused_at INTEGER;',
  postgres: '-- In the table of migration 1.',
}
