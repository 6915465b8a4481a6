import type { DatabaseSync } from 'node:sqlite'
import type { LedgerRow, RequestFilter, RequestPage } from '../../ledger-contract.ts'
import { newestOfParties, partiesOf, rowOfSequence, sequenceOf } from './ledger.ts'

const lookedAtOnce = 100
/** So few that no request waits noticeably for a search that finds nothing. */
const mostLookedAt = 1000

/** Goes back from the newest; what matches seldom is found over several pages. */
export const searchRequests = (db: DatabaseSync, filter: RequestFilter): RequestPage => {
  const { organisationId, keyId, before, limit, since = 0 } = filter
  let bound = before === null ? Number.MAX_SAFE_INTEGER : sequenceOf(db, organisationId, before)
  if (bound === null) return { rows: [], next: null }
  const parties = partiesOf(db, organisationId, keyId)
  const rows: LedgerRow[] = []
  for (let lookedAt = 0; ; ) {
    const sequences = newestOfParties(db, parties, bound, lookedAtOnce)
    for (const sequence of sequences) {
      const row = rowOfSequence(db, sequence)
      if (row === null) continue
      if (row.createdAt < since) return { rows, next: null }
      lookedAt += 1
      if (isWanted(row, filter)) rows.push(row)
      if (rows.length === limit || lookedAt === mostLookedAt) return { rows, next: row.requestId }
    }
    if (sequences.length < lookedAtOnce) return { rows, next: null }
    bound = sequences.at(-1) ?? 0
  }
}

const isWanted = ({ model, settlement }: LedgerRow, wanted: RequestFilter): boolean =>
  (wanted.model === undefined || wanted.model === model) &&
  (wanted.outcome === undefined || wanted.outcome === (settlement?.outcome ?? 'running')) &&
  (wanted.error === undefined || wanted.error === settlement?.error)
