import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refusalOf, reservationOf } from '../../../../test/harness/ledger-records.ts'
import type { LoggedRequest, RequestPage, RequestPlace } from '../../request-log-contract.ts'
import type { Query } from '../query.ts'
import type { RequestReads } from './request-reads.ts'
import { searchRequests } from './search-requests.ts'

const organisationId = 'org_1'

/** Lists, newest first, of requests that began at these times. Clocks may go back. */
type Times = { admitted: readonly number[]; refused: readonly number[] }

const anyTimes = fc.record({
  admitted: fc.array(fc.nat({ max: 9 }), { maxLength: 300 }),
  refused: fc.array(fc.nat({ max: 9 }), { maxLength: 300 }),
})

const asList = <Found>(times: readonly number[], describe: (sequence: number, createdAt: number) => Found) =>
  times.map((createdAt, index) => describe(times.length - index, createdAt))

const readsOf = ({ admitted, refused }: Times): RequestReads => {
  const requests = asList(admitted, (sequence, createdAt) => ({
    sequence,
    row: { ...reservationOf(organisationId, { requestId: `admitted ${sequence}`, createdAt }), settlement: null },
  }))
  const refusals = asList(refused, (sequence, createdAt) => ({
    sequence,
    row: refusalOf(organisationId, { requestId: `refused ${sequence}`, createdAt }),
  }))
  const unused = (): never => {
    throw new Error('a search does not read this')
  }
  return {
    newestRows: ({ bound, limit }) => answer(requests.filter(({ sequence }) => sequence < bound).slice(0, limit)),
    refusalsBefore: (_, bound, limit) => answer(refusals.filter(({ sequence }) => sequence < bound).slice(0, limit)),
    ...{ rowsAfter: unused, rowsAt: unused, refusalsAfter: unused, sequenceAfter: null },
  }
}

// biome-ignore lint/correctness/useYield: the lists are in memory
function* answer<Found>(found: Found): Query<Found> {
  return found
}

/** The only statement asks for the callers of the organisation. */
const finish = (query: Query<RequestPage>): RequestPage => {
  let step = query.next()
  while (step.done !== true) step = query.next([{ id: 1 }])
  return step.value
}

const search = (times: Times, limit: number): LoggedRequest[] => {
  const rows: LoggedRequest[] = []
  let before: RequestPlace | null = null
  do {
    const page: RequestPage = finish(searchRequests(readsOf(times))({ organisationId, before, limit }))
    rows.push(...page.rows)
    before = page.next
  } while (before !== null)
  return rows
}

const idsOf = (rows: readonly LoggedRequest[], kind: string): string[] =>
  rows.map(({ requestId }) => requestId).filter((id) => id.startsWith(kind))
const expected = (kind: string, times: readonly number[]): string[] =>
  asList(times, (sequence) => `${kind} ${sequence}`)

test('nothing is left out or doubled, and each list keeps its order, whatever its times and the size of a page', () => {
  fc.assert(
    fc.property(anyTimes, fc.integer({ min: 1, max: 400 }), (times, limit) => {
      const rows = search(times, limit)
      expect(idsOf(rows, 'admitted')).toEqual(expected('admitted', times.admitted))
      expect(idsOf(rows, 'refused')).toEqual(expected('refused', times.refused))
    }),
  )
})

test('where both are newest first, so is the whole', () => {
  const sorted = (times: readonly number[]) => times.toSorted((one, two) => two - one)
  fc.assert(
    fc.property(anyTimes, ({ admitted, refused }) => {
      const found = search({ admitted: sorted(admitted), refused: sorted(refused) }, 50).map(
        ({ createdAt }) => createdAt,
      )
      expect(found).toEqual(sorted(found))
    }),
  )
})

test('pages that go on where each list was left are the whole', () => {
  fc.assert(
    fc.property(anyTimes, fc.integer({ min: 1, max: 5 }), (times, limit) => {
      expect(search(times, limit)).toEqual(search(times, 1_000))
    }),
  )
})
