import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reservationOf, settlementOf } from '../../../../test/harness/ledger-records.ts'
import { addOrganisation, openScratchStore, scratchDirectory } from '../../../../test/harness/scratch-store.ts'

test('whoever follows the marks hears of each beginning and each end once, whenever they look', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const other = addOrganisation(scratch.path)
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('begin' as const),
      ours: fc.boolean(),
      key: fc.constantFrom('key_1', 'key_2', null),
    }),
    fc.record({ kind: fc.constant('end' as const), which: fc.nat({ max: 20 }) }),
    fc.record({ kind: fc.constant('look' as const), limit: fc.integer({ min: 1, max: 3 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      let mark = await store.ledger.mark(id)
      const running: { requestId: string; organisationId: string }[] = []
      const happened = new Map<string, string>()
      const heard = new Map<string, string>()
      const hear = async (limit: number): Promise<number> => {
        const news = await store.ledger.news(id, mark, limit)
        mark = news.mark
        for (const { requestId, organisationId, settlement } of news.rows) {
          expect(organisationId).toBe(id)
          const state = settlement === null ? 'running' : 'ended'
          expect(heard.get(requestId)).not.toBe(state)
          expect(heard.get(requestId)).not.toBe('ended')
          heard.set(requestId, state)
        }
        return news.rows.length
      }
      for (const one of steps) {
        if (one.kind === 'look') await hear(one.limit)
        else if (one.kind === 'begin') {
          const reservation = reservationOf(one.ours ? id : other, { keyId: one.key })
          await store.ledger.reserve([reservation])
          running.push(reservation)
          if (one.ours) happened.set(reservation.requestId, 'running')
        } else {
          const [ended] = running.splice(one.which, 1)
          if (ended === undefined) continue
          await store.ledger.settle([settlementOf(ended.requestId)], [])
          if (ended.organisationId === id) happened.set(ended.requestId, 'ended')
        }
      }
      while ((await hear(2)) > 0);
      expect(heard).toEqual(happened)
      const left = running.map(({ requestId }) => settlementOf(requestId))
      await store.ledger.settle(left, [])
    }),
    { numRuns: 25 },
  )
})

test('a mark that names requests of others tells nothing about them', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const theirs = reservationOf(addOrganisation(scratch.path))
  await store.ledger.reserve([theirs])
  await store.ledger.settle([settlementOf(theirs.requestId)], [])
  expect(await store.ledger.news(id, { newest: 0, open: [1, 2, 999] }, 10)).toEqual({
    rows: [],
    mark: { newest: 0, open: [] },
  })
})

test('requests are found by key, model, outcome, error and time, over several pages', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const requests = Array.from({ length: 1205 }, (_, index) =>
    reservationOf(id, {
      createdAt: index,
      keyId: index % 2 === 0 ? 'key_1' : null,
      model: index === 3 ? 'rare' : 'usual',
    }),
  )
  await store.ledger.reserve(requests)
  const [first, ...others] = requests.map(({ requestId }) => requestId)
  await store.ledger.settle(
    [
      settlementOf(first ?? '', { outcome: 'failed', error: 'engine_failed' }),
      ...others.slice(0, -1).map((requestId) => settlementOf(requestId)),
    ],
    [],
  )
  const page = { organisationId: id, before: null, limit: 3 }
  const found = async (filter: object) => {
    const { rows, next } = await store.ledger.search({ ...page, ...filter })
    return { found: rows.map(({ createdAt }) => createdAt), next }
  }
  expect(await found({})).toEqual({ found: [1204, 1203, 1202], next: requests[1202]?.requestId })
  expect((await found({ keyId: null })).found).toEqual([1203, 1201, 1199])
  expect((await found({ keyId: 'key_1', since: 1203 })).found).toEqual([1204])
  expect(await found({ keyId: 'key_unknown' })).toEqual({ found: [], next: null })
  expect((await found({ outcome: 'running' })).found).toEqual([1204])
  const rare = await found({ model: 'rare' })
  expect(rare).toEqual({ found: [], next: requests[205]?.requestId })
  expect(await found({ model: 'rare', before: rare.next })).toEqual({ found: [3], next: null })
  expect((await found({ error: 'engine_failed', before: rare.next })).found).toEqual([0])
  expect((await found({ outcome: 'failed', before: rare.next })).found).toEqual([0])
  expect(await found({ before: 'req_unknown' })).toEqual({ found: [], next: null })
})
