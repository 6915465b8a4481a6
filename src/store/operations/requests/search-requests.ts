import type { LoggedRequest, RequestFilter, RequestPage, RequestPlace } from '../../request-log-contract.ts'
import { findCallers, findLedgerRow } from '../ledger/ledger.ts'
import type { Query } from '../query.ts'
import { isWanted } from './is-wanted.ts'
import { findRefusal } from './refusals.ts'
import type { RequestReads } from './request-reads.ts'

/** Mostly enough for a page; a filter that rarely matches reads on in larger steps. */
const lookedAtFirst = 100
const lookedAtOnce = 450
/** Few enough that a page without matches does not take noticeably long. */
const maxLookedAt = 1000

export function* findRequest(requestId: string): Query<LoggedRequest | null> {
  return (yield* findLedgerRow(requestId)) ?? (yield* findRefusal(requestId))
}

/** Searches back from the newest; rare matches are found over several pages. */
export const searchRequests = (reads: RequestReads) =>
  function* (filter: RequestFilter): Query<RequestPage> {
    const { limit, since = 0, outcome } = filter
    const place: RequestPlace = { ...(filter.before ?? (yield* firstPlace(reads, filter))) }
    const callers = outcome === 'refused' ? [] : yield* findCallers(filter.organisationId, filter.keyId)
    const admitted = createList(place.ledger, callers.length === 0, (bound, limit) =>
      reads.newestRows({ callers, bound, limit }),
    )
    const refused = createList(place.refusals, outcome !== undefined && outcome !== 'refused', (bound, limit) =>
      reads.refusalsBefore(filter.organisationId, bound, limit),
    )
    const rows: LoggedRequest[] = []
    for (let lookedAt = 1; ; lookedAt += 1) {
      const [one, other] = [yield* peek(admitted), yield* peek(refused)]
      // Each list keeps its own order whatever its times say, so that a place in both is a place in the whole.
      const isAdmitted = one !== undefined && (other === undefined || one.row.createdAt >= other.row.createdAt)
      const item = isAdmitted ? one : other
      if (item === undefined || item.row.createdAt < since) return { rows, next: null }
      place[isAdmitted ? 'ledger' : 'refusals'] = item.sequence
      if (isAdmitted) admitted.read.shift()
      else refused.read.shift()
      if (isWanted(item.row, filter)) rows.push(item.row)
      if (rows.length === limit || lookedAt === maxLookedAt) return { rows, next: place }
    }
  }

/** A search up to an earlier moment does not begin with the newest requests. */
function* firstPlace({ sequenceAfter }: RequestReads, { until }: RequestFilter): Query<RequestPlace> {
  const after = until === undefined || sequenceAfter === null ? null : yield* sequenceAfter(until)
  return { ledger: after ?? Number.MAX_SAFE_INTEGER, refusals: Number.MAX_SAFE_INTEGER }
}

type Found = { sequence: number; row: LoggedRequest }
type ReadBack = (bound: number, limit: number) => Query<Found[]>
type List = { read: Found[]; bound: number; step: number; isAtEnd: boolean; readBack: ReadBack }

const createList = (bound: number, isAtEnd: boolean, readBack: ReadBack): List => ({
  ...{ read: [], bound, step: lookedAtFirst, isAtEnd, readBack },
})

/** The next one, newest first; reads on if need be. */
function* peek(list: List): Query<Found | undefined> {
  if (list.read.length === 0 && !list.isAtEnd) {
    list.read = yield* list.readBack(list.bound, list.step)
    list.isAtEnd = list.read.length < list.step
    list.bound = list.read.at(-1)?.sequence ?? list.bound
    list.step = lookedAtOnce
  }
  return list.read[0]
}
