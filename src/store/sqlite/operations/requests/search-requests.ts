import type { DatabaseSync } from 'node:sqlite'
import type { LedgerRow } from '../../../ledger-contract.ts'
import { firstBegunAfter, longestRequestMs } from '../../../operations/ledger/first-begun-after.ts'
import { isWanted } from '../../../operations/requests/is-wanted.ts'
import { integer } from '../../../operations/row.ts'
import type { LoggedRequest, Refusal, RequestFilter, RequestPage, RequestPlace } from '../../../request-log-contract.ts'
import { prepared } from '../../database/prepared.ts'
import { callersOf, findLedgerRow, newestOfCallers, rowOfSequence } from '../ledger/ledger.ts'
import { mergeNewest } from './merge-newest.ts'
import { findRefusal, refusalsBefore } from './refusals.ts'

const lookedAtOnce = 100
/** So few that no request waits noticeably for a search that finds nothing. */
const maxLookedAt = 1000

const newest: RequestPlace = { ledger: Number.MAX_SAFE_INTEGER, refusals: Number.MAX_SAFE_INTEGER }

/** Searches back from the newest; rare matches are found over several pages. */
export const searchRequests = (db: DatabaseSync, filter: RequestFilter): RequestPage => {
  const { limit, since = 0, outcome } = filter
  const place: RequestPlace = { ...(filter.before ?? firstPlace(db, filter)) }
  const rows: LoggedRequest[] = []
  let lookedAt = 0
  const admitted = outcome === 'refused' ? [] : ledgerBack(db, filter, place.ledger)
  const refused = outcome === undefined || outcome === 'refused' ? refusalsBack(db, filter, place.refusals) : []
  for (const { list, sequence, row } of mergeNewest(admitted, refused, ({ row }) => row.createdAt)) {
    if (row.createdAt < since) break
    place[list] = sequence
    lookedAt += 1
    if (isWanted(row, filter)) rows.push(row)
    if (rows.length === limit || lookedAt === maxLookedAt) return { rows, next: place }
  }
  return { rows, next: null }
}

/** A search up to an earlier moment does not begin with the newest requests. */
const firstPlace = (db: DatabaseSync, { until }: RequestFilter): RequestPlace => {
  if (until === undefined) return newest
  const later = prepared(db, firstBegunAfter).get(until + longestRequestMs, until)
  return later === undefined ? newest : { ...newest, ledger: integer(later, 'reservation') }
}

export const findRequest = (db: DatabaseSync, requestId: string): LoggedRequest | null =>
  findLedgerRow(db, requestId) ?? findRefusal(db, requestId)

type Found<Row> = { list: keyof RequestPlace; sequence: number; row: Row }

function* ledgerBack(db: DatabaseSync, filter: RequestFilter, before: number): Generator<Found<LedgerRow>> {
  const callers = callersOf(db, filter.organisationId, filter.keyId)
  for (let bound = before; ; ) {
    const sequences = newestOfCallers(db, callers, bound, lookedAtOnce)
    for (const sequence of sequences) {
      const row = rowOfSequence(db, sequence)
      if (row !== null) yield { list: 'ledger', sequence, row }
    }
    if (sequences.length < lookedAtOnce) return
    bound = sequences.at(-1) ?? 0
  }
}

function* refusalsBack(db: DatabaseSync, filter: RequestFilter, before: number): Generator<Found<Refusal>> {
  for (let bound = before; ; ) {
    const found = refusalsBefore(db, filter.organisationId, bound, lookedAtOnce)
    for (const { sequence, row } of found) yield { list: 'refusals', sequence, row }
    if (found.length < lookedAtOnce) return
    bound = found.at(-1)?.sequence ?? 0
  }
}
