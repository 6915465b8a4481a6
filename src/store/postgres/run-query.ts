import { type ClientBase, DatabaseError, type Pool, type PoolClient } from 'pg'
import { failureReason } from '../failure-reason.ts'
import type { Query, Signal, Statement, StatementResult } from '../operations/query.ts'
import type { Row } from '../operations/row.ts'
import type { StatementNames } from './statement-names.ts'
import { bindValues, translateSql } from './translate-sql.ts'

/** There is no connection. */
export class Unreachable extends Error {}

/** The connection broke, or a time-out left it with an answer that is still to come: it must not be used again. */
export class ConnectionLost extends Unreachable {
  get isTimeout(): boolean {
    return this.message === timeoutMessage
  }
}

/** The driver's own, which has no code. */
const timeoutMessage = 'Query read timeout'

type NameOf = StatementNames['of']
const withoutName: NameOf = () => ({})

/** Runs an operation to its end, a statement at a time. */
export const runQuery = async <Result>(
  client: ClientBase,
  query: Query<Result>,
  nameOf = withoutName,
  onSignal: (signal: Signal) => void = () => {},
): Promise<Result> => {
  let step = query.next()
  while (step.done !== true) {
    if ('signal' in step.value) onSignal(step.value)
    step = query.next('signal' in step.value ? undefined : await answer(client, step.value, nameOf))
  }
  return step.value
}

const answer = async (client: ClientBase, asked: Statement, nameOf: NameOf): Promise<StatementResult> => {
  const translated = translateSql(typeof asked.sql === 'string' ? asked.sql : asked.sql.postgres)
  const values = bindValues(translated, asked.values)
  const { text } = translated
  const { rows, rowCount } = await client.query<Row>({ text, values, ...nameOf(text) }).catch(refuse)
  if (asked.wanted === 'changes') return rowCount ?? 0
  return asked.wanted === 'first' ? rows[0] : rows
}

/** For statements without values, of which there may be several. */
export const execute = async (client: ClientBase, sql: string): Promise<void> => {
  await client.query(sql).catch(refuse)
}

export const connectTo = (pool: Pool): Promise<PoolClient> =>
  pool.connect().catch((error: unknown) => {
    throw new Unreachable(failureReason(error), { cause: error })
  })

const refuse = (error: unknown): never => {
  if (error instanceof DatabaseError && error.severity !== 'FATAL') throw error
  throw new ConnectionLost(failureReason(error), { cause: error })
}
