import type { Migration } from './migration.ts'

/** Settings that were changed in the console. Secrets are stored encrypted. */
export const serverSettings: Migration = {
  id: 27,
  name: 'settings saved in the console',
  sqlite: `
    CREATE TABLE server_settings (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT,
      sealed_value TEXT,
      changed_at INTEGER NOT NULL,
      CHECK ((value IS NULL) <> (sealed_value IS NULL))
    ) STRICT;
  `,
  postgres: `
    CREATE TABLE server_settings (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT,
      sealed_value TEXT,
      changed_at BIGINT NOT NULL,
      CHECK ((value IS NULL) <> (sealed_value IS NULL))
    );
  `,
}
