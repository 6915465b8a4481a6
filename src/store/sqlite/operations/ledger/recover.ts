import type { DatabaseSync } from 'node:sqlite'
import { settlementRow } from '../../../operations/ledger/ledger-rows.ts'
import { recoveredColumns, recoveredSettlement } from '../../../operations/ledger/recovered-settlement.ts'
import { prepared } from '../../database/prepared.ts'
import { settleRequests } from './settle.ts'

/** Settles requests that a dead server left open, each at its last checkpoint: never more than was sent. */
export const recoverRequests = (db: DatabaseSync, now: number, day: number): number => {
  const rows = prepared(
    db,
    `SELECT ${recoveredColumns} FROM ledger_open
    JOIN ledger_reservations ON sequence = ledger_open.reservation
    LEFT JOIN ledger_progress ON ledger_progress.reservation = sequence
    ORDER BY sequence`,
  ).all()
  return settleRequests(
    db,
    rows.map((row) => settlementRow(recoveredSettlement(row, now, day))),
    [],
  )
}
