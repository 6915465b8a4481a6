import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Locks a table, so that statements about it wait. */
export const lockTable = async (url: string, table: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  const waiting = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND relation = '${table}'::regclass AND strpos(query, $1) > 0`
  return {
    /** Resolves once a statement waits that contains this text. */
    async waitedFor(text = '') {
      // Within a transaction PostgreSQL shows the same activity again, unless asked to look.
      while ((await client.query(waiting, [text])).rowCount === 0) await client.query('SELECT pg_stat_clear_snapshot()')
    },
    release: () => client.query('ROLLBACK'),
  }
}
