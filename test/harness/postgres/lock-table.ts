import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Locks a table, so that statements about it wait. */
export const lockTable = async (url: string, table: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`
  return {
    /** Resolves once a statement waits. */
    async waitedFor() {
      while ((await client.query(waiting)).rowCount === 0);
    },
    release: () => client.query('ROLLBACK'),
  }
}
