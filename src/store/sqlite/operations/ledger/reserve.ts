import type { DatabaseSync } from 'node:sqlite'
import type { ProgressCheckpoint, ReservationRecord } from '../../../ledger-contract.ts'
import { prepared } from '../../database/prepared.ts'
import { integer, text } from '../../database/row.ts'
import { cachedOpenRequests, type OpenRequest } from './ledger-cache.ts'
import { callerNumberOf } from './ledger-callers.ts'

export const reserveRequests = (db: DatabaseSync, reservations: readonly ReservationRecord[]): void => {
  const insert = prepared(
    db,
    `INSERT INTO ledger_reservations
      (request_id, party, model, endpoint, is_stream, reserved_tokens, limits, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const open = prepared(db, 'INSERT INTO ledger_open (reservation) VALUES (?)')
  for (const reservation of reservations) {
    const { requestId, organisationId, keyId, model, endpoint, stream, reservedTokens, createdAt } = reservation
    const caller = callerNumberOf(db, organisationId, keyId)
    const limits = reservation.limits === null ? null : JSON.stringify(reservation.limits)
    const isStream = stream ? 1 : 0
    const { lastInsertRowid } = insert.run(
      requestId,
      caller,
      model,
      endpoint,
      isStream,
      reservedTokens,
      limits,
      createdAt,
    )
    open.run(lastInsertRowid)
    cachedOpenRequests(db).set(requestId, { sequence: Number(lastInsertRowid), caller, model })
  }
}

/** Null when it is settled, or was never reserved. */
export const findOpenRequest = (db: DatabaseSync, requestId: string): OpenRequest | null => {
  const known = cachedOpenRequests(db).get(requestId)
  if (known !== undefined) return known
  const find = `SELECT sequence, party, model FROM ledger_reservations
    JOIN ledger_open ON reservation = sequence WHERE request_id = ?`
  const row = prepared(db, find).get(requestId)
  if (row === undefined) return null
  return { sequence: integer(row, 'sequence'), caller: integer(row, 'party'), model: text(row, 'model') }
}

export const checkpointProgress = (db: DatabaseSync, checkpoints: readonly ProgressCheckpoint[], now: number): void => {
  const insert = prepared(
    db,
    `INSERT INTO ledger_notes
      (reservation, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, is_estimated, noted_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { requestId, promptTokens, cachedTokens, completionTokens, reasoningTokens, isEstimated } of checkpoints) {
    const request = findOpenRequest(db, requestId)
    if (request === null) continue
    insert.run(
      request.sequence,
      promptTokens,
      cachedTokens,
      completionTokens,
      reasoningTokens,
      isEstimated === true ? 1 : 0,
      now,
    )
  }
}
