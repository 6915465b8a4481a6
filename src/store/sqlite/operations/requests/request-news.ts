import type { DatabaseSync } from 'node:sqlite'
import { integer } from '../../../operations/row.ts'
import type { LoggedRequest, RequestMark } from '../../../request-log-contract.ts'
import { prepared } from '../../database/prepared.ts'
import { callersOf, newestOfCallers, rowsOfSequences } from '../ledger/ledger.ts'
import { refusalsAfter, refusalsBefore } from './refusals.ts'

export const markRequests = (db: DatabaseSync, organisationId: string): RequestMark => {
  const [newest = 0] = newestOfCallers(db, callersOf(db, organisationId), Number.MAX_SAFE_INTEGER, 1)
  const find = `SELECT reservation FROM ledger_open JOIN ledger_reservations ON sequence = reservation
    JOIN ledger_parties AS parties ON parties.id = party WHERE organisation_id = ? ORDER BY reservation`
  const open = prepared(db, find)
    .all(organisationId)
    .map((row) => integer(row, 'reservation'))
  const [last] = refusalsBefore(db, organisationId, Number.MAX_SAFE_INTEGER, 1)
  return { newest, refused: last?.sequence ?? 0, open }
}

/** A mark comes from outside: requests of another organisation in it are ignored. */
export const listRequestNews = (
  db: DatabaseSync,
  organisationId: string,
  mark: RequestMark,
  limit: number,
): { rows: LoggedRequest[]; mark: RequestMark } => {
  const rows: LoggedRequest[] = []
  const open: number[] = []
  const begun = oldestAfter(db, callersOf(db, organisationId), mark.newest, limit)
  const found = rowsOfSequences(db, [...mark.open, ...begun])
  const look = (sequence: number, isNew: boolean): void => {
    const row = found.get(sequence)
    if (row?.organisationId !== organisationId) return
    if (row.settlement === null) open.push(sequence)
    if (isNew || row.settlement !== null) rows.push(row)
  }
  for (const sequence of mark.open) look(sequence, false)
  for (const sequence of begun) look(sequence, true)
  const refused = refusalsAfter(db, organisationId, mark.refused, limit)
  for (const { row } of refused) rows.push(row)
  const reached = { newest: begun.at(-1) ?? mark.newest, refused: refused.at(-1)?.sequence ?? mark.refused }
  return { rows, mark: { ...reached, open } }
}

const oldestAfter = (db: DatabaseSync, callers: readonly number[], newest: number, limit: number): number[] => {
  const oldest = prepared(
    db,
    'SELECT sequence FROM ledger_reservations WHERE party = ? AND sequence > ? ORDER BY sequence LIMIT ?',
  )
  return callers
    .flatMap((caller) => oldest.all(caller, newest, limit))
    .map((row) => integer(row, 'sequence'))
    .sort((one, two) => one - two)
    .slice(0, limit)
}
