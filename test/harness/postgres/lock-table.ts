import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Locks a table, so that statements about it wait, in a transaction that may also do something else. */
export const lockTable = async (url: string, table: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  // For the table itself, or for another transaction that waits for it.
  const waiting = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database() AND strpos(query, $1) > 0
      AND (relation = '${table}'::regclass OR locktype = 'transactionid')`
  let isReleased = false
  return {
    /** Resolves once a statement waits that contains this text, or nothing is locked any more. */
    async waitedFor(text = '') {
      // Within a transaction PostgreSQL shows the same activity again, unless asked to look.
      while (!isReleased && (await client.query(waiting, [text])).rowCount === 0)
        await client.query('SELECT pg_stat_clear_snapshot()')
    },
    exec: (sql: string) => client.query(sql),
    release: () => {
      isReleased = true
      return client.query('COMMIT')
    },
    /** Earlier than at the end of the test, for a database that is dropped before. */
    [Symbol.asyncDispose]: () => client.end(),
  }
}
