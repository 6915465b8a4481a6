import { findCallers } from '../../../operations/ledger/ledger.ts'
import { all, type Query } from '../../../operations/query.ts'
import { integer } from '../../../operations/row.ts'
import type { RequestMark } from '../../../request-log-contract.ts'
import { newestSequences, requestReads } from './request-reads.ts'

const selectOpen = `SELECT reservation FROM ledger_open JOIN ledger_reservations ON sequence = reservation
  JOIN ledger_parties AS parties ON parties.id = party WHERE organisation_id = ? ORDER BY reservation`

/** PostgreSQL has its own, which leaves out what running transactions may still precede. */
export function* markRequests(organisationId: string): Query<RequestMark> {
  const [newest = 0] = yield* newestSequences(yield* findCallers(organisationId), Number.MAX_SAFE_INTEGER, 1)
  const open = yield* all(selectOpen, organisationId)
  const [last] = yield* requestReads.refusalsBefore(organisationId, Number.MAX_SAFE_INTEGER, 1)
  return { newest, refused: last?.sequence ?? 0, open: open.map((row) => integer(row, 'reservation')) }
}
