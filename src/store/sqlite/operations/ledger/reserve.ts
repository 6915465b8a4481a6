import type { DatabaseSync } from 'node:sqlite'
import { storedReservationColumns } from '../../../operations/ledger/ledger-columns.ts'
import type { ReservationRow } from '../../../operations/ledger/ledger-rows.ts'
import { insertRows, rowInsert } from '../../database/insert-rows.ts'
import { findOpenRequests, type OpenRequest } from './ledger-cache.ts'
import { findCallerNumber } from './ledger-callers.ts'
import { keepAboveSettled } from './settled-up-to.ts'

const insert = rowInsert('ledger_reservations', storedReservationColumns)

/** The claims of idempotency keys are in this process, which alone uses the database: they cannot be lost. */
export const reserveRequests = (
  db: DatabaseSync,
  rows: readonly ReservationRow[],
  _claimed: readonly string[] = [],
): void => {
  if (rows.length === 0) return
  const open = findOpenRequests(db)
  const reserved = rows.map(([requestId, organisationId, keyId, model, ...rest]) => {
    const caller = findCallerNumber(db, organisationId, keyId)
    return { requestId, caller, model, values: [requestId, caller, model, ...rest] }
  })
  const last = insertRows(
    db,
    insert,
    reserved.map(({ values }) => values),
  )
  // SQLite numbers rows one by one, and nothing else writes to the ledger.
  let sequence = last - rows.length + 1
  keepAboveSettled(db, open, sequence)
  for (const { requestId, caller, model } of reserved) {
    const request: OpenRequest = { sequence, caller, model }
    open.byId.set(requestId, request)
    sequence += 1
  }
  open.lastSequence = last
}
