import type { DatabaseSync } from 'node:sqlite'
import { overwriteProgress, storedProgressColumns } from '../../../operations/ledger/ledger-columns.ts'
import type { ProgressRow } from '../../../operations/ledger/ledger-rows.ts'
import { prepared } from '../../database/prepared.ts'
import { findOpenRequests } from './ledger-cache.ts'

const upsert = `INSERT INTO ledger_progress (reservation, ${storedProgressColumns.join(', ')})
  VALUES (?, ${storedProgressColumns.map(() => '?').join(', ')}) ${overwriteProgress}`

export const checkpointProgress = (db: DatabaseSync, rows: readonly ProgressRow[], now: number): void => {
  const { byId } = findOpenRequests(db)
  for (const [requestId, ...counts] of rows) {
    const request = byId.get(requestId)
    if (request !== undefined) prepared(db, upsert).run(request.sequence, ...counts, now)
  }
}
