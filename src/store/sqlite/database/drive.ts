import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Query, Signal, Statement, StatementResult, Values } from '../../operations/query.ts'
import { clearCachedCallers } from '../operations/ledger/ledger-cache.ts'
import { noteDeletedText } from './noted-deletions.ts'
import { prepared } from './prepared.ts'

/** Runs an operation to its end. */
export const drive = <Result>(db: DatabaseSync, query: Query<Result>): Result => {
  let step = query.next()
  while (step.done !== true) step = query.next(answer(db, step.value))
  return step.value
}

const answer = (db: DatabaseSync, asked: Statement | Signal): StatementResult => {
  if ('signal' in asked) return asked.signal === 'texts_deleted' ? noteDeletedText(db) : clearCachedCallers(db)
  const { sql, values, wanted } = asked
  const statement = prepared(db, typeof sql === 'string' ? sql : sql.sqlite)
  if (wanted === 'first') return statement.get(...bindable(values))
  if (wanted === 'all') return statement.all(...bindable(values))
  return Number(statement.run(...bindable(values)).changes)
}

/** True because the driver takes one object of named values in the place of the first value. */
const bindable = (values: Values): readonly SQLInputValue[] => values as readonly SQLInputValue[]
