import type { Migration } from './migration.ts'

/** What the log of requests tells beyond the ledger. Requests from before have no limits: nobody wrote them down. */
export const requestLog: Migration = {
  id: 7,
  name: 'request log',
  sql: `
    ALTER TABLE ledger_reservations ADD COLUMN limits TEXT;
  `,
}
