import type { SharedMigration } from './migration.ts'

/** The limit of requests per day. */
export const requestsPerDay: SharedMigration = {
  id: 22,
  name: 'limit of requests per day',
  sql: `
    ALTER TABLE organisations ADD COLUMN requests_per_day INTEGER;
    ALTER TABLE api_keys ADD COLUMN requests_per_day INTEGER;
  `,
  postgres: `
    ALTER TABLE organisations ADD COLUMN requests_per_day BIGINT;
    ALTER TABLE api_keys ADD COLUMN requests_per_day BIGINT;
  `,
}
