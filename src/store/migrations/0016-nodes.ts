import type { Migration } from './migration.ts'

/** Several servers can share a PostgreSQL database. Only one can use an SQLite database. */
export const nodes: Migration = {
  id: 16,
  name: 'nodes',
  sqlite: '-- One server uses an SQLite database.',
  postgres: `
    -- Times are those of the database's clock.
    CREATE TABLE nodes (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      address TEXT NOT NULL,
      version TEXT NOT NULL,
      started_at BIGINT NOT NULL,
      seen_at BIGINT NOT NULL,
      -- Set by another node: the lease has ended.
      ended_at BIGINT,
      status TEXT NOT NULL
    -- Room on each page, so that the next heartbeat replaces the last one in place.
    ) WITH (fillfactor = 50);
    CREATE TABLE task_leases (
      name TEXT PRIMARY KEY,
      node TEXT NOT NULL,
      until BIGINT NOT NULL
    );
    CREATE TABLE secret_fingerprint (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      fingerprint TEXT NOT NULL
    );
  `,
}
