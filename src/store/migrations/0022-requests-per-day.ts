import type { Migration } from './migration.ts'

/** The limit of requests per day. */
export const requestsPerDay: Migration = {
  id: 22,
  name: 'limit of requests per day',
  sqlite: `
    ALTER TABLE organisations ADD COLUMN requests_per_day INTEGER;
    ALTER TABLE api_keys ADD COLUMN requests_per_day INTEGER;
  `,
  postgres: `
    ALTER TABLE organisations ADD COLUMN requests_per_day BIGINT;
    ALTER TABLE api_keys ADD COLUMN requests_per_day BIGINT;
  `,
}
