import { type ClientBase, DatabaseError } from 'pg'
import type { Answer, Query, Signal, Statement } from '../operations/query.ts'
import type { Row } from '../operations/row.ts'
import { bindValues, translateSql } from './translate-sql.ts'

/** The connection broke, or a time-out left it with an answer that is still to come: it must not be used again. */
export class ConnectionLost extends Error {}

/**
 * Runs an operation to its end, a statement at a time. Statements have no names on the server, so that consecutive
 * transactions may have different connections (pgbouncer). Signals are for databases with a log or a cache of ours.
 */
export const runQuery = async <Result>(client: ClientBase, query: Query<Result>): Promise<Result> => {
  let step = query.next()
  while (step.done !== true) step = query.next(await answer(client, step.value))
  return step.value
}

const answer = async (client: ClientBase, asked: Statement | Signal): Promise<Answer> => {
  if ('signal' in asked) return undefined
  const translated = translateSql(typeof asked.sql === 'string' ? asked.sql : asked.sql.postgres)
  const values = bindValues(translated, asked.values)
  const { rows, rowCount } = await client.query<Row>(translated.text, values).catch(refuse)
  if (asked.wanted === 'changes') return rowCount ?? 0
  return asked.wanted === 'first' ? rows[0] : rows
}

/** For statements without values, of which there may be several. */
export const execute = async (client: ClientBase, sql: string): Promise<void> => {
  await client.query(sql).catch(refuse)
}

const refuse = (error: unknown): never => {
  if (error instanceof DatabaseError && error.severity !== 'FATAL') throw error
  throw new ConnectionLost(error instanceof Error ? error.message : String(error), { cause: error })
}
