import type { DatabaseSync } from 'node:sqlite'
import type { ProgressRow } from '../../../operations/ledger/ledger-rows.ts'
import { prepared } from '../../database/prepared.ts'
import { openRequestsOf } from './ledger-cache.ts'

/** A request has one row of progress, which is overwritten. */
const upsert = `INSERT INTO ledger_progress
    (reservation, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, is_estimated, written_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (reservation) DO UPDATE SET
    prompt_tokens = excluded.prompt_tokens, cached_tokens = excluded.cached_tokens,
    completion_tokens = excluded.completion_tokens, reasoning_tokens = excluded.reasoning_tokens,
    is_estimated = excluded.is_estimated, written_at = excluded.written_at`

export const checkpointProgress = (db: DatabaseSync, rows: readonly ProgressRow[], now: number): void => {
  const { byId } = openRequestsOf(db)
  for (const [requestId, ...counts] of rows) {
    const request = byId.get(requestId)
    if (request !== undefined) prepared(db, upsert).run(request.sequence, ...counts, now)
  }
}
