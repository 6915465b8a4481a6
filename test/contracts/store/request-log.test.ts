import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestPage, RequestPlace } from '../../../src/store/request-log-contract.ts'
import { gridRuns } from '../../harness/grid.ts'
import { refusalOf, reservationOf, settlementOf } from '../../harness/ledger-records.ts'
import { eachStore } from './each-store.ts'

eachStore((create) => {
  test('a reader that follows the marks gets each beginning and each end once, whenever it looks', async () => {
    await using data = await create()
    await using store = await data.open()
    const other = await data.addOrganisation()
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('begin' as const),
        ours: fc.boolean(),
        key: fc.constantFrom('key_1', 'key_2', null),
      }),
      fc.record({ kind: fc.constant('end' as const), which: fc.nat({ max: 20 }) }),
      fc.record({ kind: fc.constant('refuse' as const), ours: fc.boolean() }),
      fc.record({ kind: fc.constant('look' as const), limit: fc.integer({ min: 1, max: 3 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const id = await data.addOrganisation()
        let mark = await store.requestLog.mark(id)
        const running: { requestId: string; organisationId: string }[] = []
        const happened = new Map<string, string>()
        const heard = new Map<string, string>()
        const hear = async (limit: number): Promise<number> => {
          const news = await store.requestLog.news(id, mark, limit)
          mark = news.mark
          for (const row of news.rows) {
            const { requestId } = row
            expect(row.organisationId).toBe(id)
            const state = 'settlement' in row && row.settlement === null ? 'running' : 'ended'
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
          } else if (one.kind === 'refuse') {
            const refusal = refusalOf(one.ours ? id : other)
            await store.requestLog.refuse([refusal])
            if (one.ours) happened.set(refusal.requestId, 'ended')
          } else {
            const [ended] = running.splice(one.which, 1)
            if (ended === undefined) continue
            await store.ledger.settle([settlementOf(ended.requestId)], [])
            if (ended.organisationId === id) happened.set(ended.requestId, 'ended')
          }
        }
        // A store with several writers may keep something back for a moment.
        for (let looks = 0; looks < 1_000 && !isDeepStrictEqual(heard, happened); looks += 1) await hear(2)
        while ((await hear(2)) > 0);
        expect(heard).toEqual(happened)
        const left = running.map(({ requestId }) => settlementOf(requestId))
        await store.ledger.settle(left, [])
      }),
      { numRuns: gridRuns(25) },
    )
  })

  test('a mark that names requests of others tells nothing about them', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const theirs = reservationOf(await data.addOrganisation())
    await store.ledger.reserve([theirs])
    await store.ledger.settle([settlementOf(theirs.requestId)], [])
    expect(await store.requestLog.news(id, { newest: 0, refused: 0, open: [1, 2, 999] }, 10)).toEqual({
      rows: [],
      mark: { newest: 0, refused: 0, open: [] },
    })
  })

  test('open requests of a mark have the progress of their last checkpoint, those of others have none', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const [ours, quiet] = [reservationOf(id, { createdAt: 1000 }), reservationOf(id)]
    const theirs = reservationOf(await data.addOrganisation())
    await store.ledger.reserve([ours, quiet, theirs])
    const counts = { promptTokens: 5, cachedTokens: 0, completionTokens: 7, reasoningTokens: 0 }
    const running = [ours, theirs].map(({ requestId }) => ({ requestId, ...counts }))
    await store.ledger.checkpoint(running, 1500)
    const listOpen = async () =>
      (await Promise.all([id, theirs.organisationId].map((each) => store.requestLog.mark(each)))).flatMap(
        ({ open }) => open,
      )
    // PostgreSQL keeps back what is newer than a transaction that runs anywhere on the server, such as another test's.
    await expect.poll(listOpen).toHaveLength(3)
    const open = await listOpen()
    const expected = [
      { requestId: ours.requestId, completionTokens: 7, afterMs: 500 },
      { requestId: quiet.requestId, completionTokens: 0, afterMs: 0 },
    ]
    expect(await store.requestLog.progress(id, open)).toEqual(expected)
    expect(await store.requestLog.progress(id, [])).toEqual([])
  })

  test('requests are found by key, model, endpoint, outcome, error and time, over several pages', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const requests = Array.from({ length: 1205 }, (_, index) =>
      reservationOf(id, {
        createdAt: index,
        keyId: index % 2 === 0 ? 'key_1' : null,
        model: index === 3 ? 'rare' : 'usual',
        endpoint: index % 100 === 0 ? 'messages' : 'chat.completions',
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
    const newest = { ledger: Number.MAX_SAFE_INTEGER, refusals: Number.MAX_SAFE_INTEGER }
    const page = { organisationId: id, before: null, limit: 3 }
    const found = async (filter: object) => {
      const { rows, next } = await store.requestLog.search({ ...page, ...filter })
      return { found: rows.map(({ createdAt }) => createdAt), next }
    }
    expect(await found({})).toEqual({ found: [1204, 1203, 1202], next: { ...newest, ledger: 1203 } })
    expect((await found({ keyId: null })).found).toEqual([1203, 1201, 1199])
    expect((await found({ keyId: 'key_1', since: 1203 })).found).toEqual([1204])
    expect(await found({ keyId: 'key_unknown' })).toEqual({ found: [], next: null })
    expect((await found({ endpoint: 'messages' })).found).toEqual([1200, 1100, 1000])
    expect((await found({ outcome: 'running' })).found).toEqual([1204])
    const rare = await found({ model: 'rare' })
    expect(rare).toEqual({ found: [], next: { ...newest, ledger: 206 } })
    expect(await found({ model: 'rare', before: rare.next })).toEqual({ found: [3], next: null })
    expect((await found({ error: 'engine_failed', before: rare.next })).found).toEqual([0])
    expect((await found({ outcome: 'failed', before: rare.next })).found).toEqual([0])
  })

  test('refused requests stand among the others by their time, page by page, and count for nothing', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const admitted = [1, 4, 5, 8].map((createdAt) => reservationOf(id, { createdAt }))
    await store.ledger.reserve(admitted)
    const limit = { name: 'requestsPerMinute', scope: 'key', limit: 4, used: 4, requested: 1, waitMs: 100 } as const
    const refused = [
      refusalOf(id, { createdAt: 2, keyId: null, limit, leftOut: 3 }),
      refusalOf(id, { createdAt: 6, error: 'model_not_found', model: null, stream: null }),
      refusalOf(id, { createdAt: 7, endpoint: 'embeddings' }),
    ]
    // The ledger has the last one: it was let in.
    await store.requestLog.refuse([...refused, refusalOf(id, { requestId: admitted[0]?.requestId ?? '' })])
    const search = async (filter: object) => {
      const times: number[] = []
      for (let before: RequestPlace | null = null, isFirst = true; isFirst || before !== null; isFirst = false) {
        const page: RequestPage = await store.requestLog.search({ organisationId: id, limit: 2, ...filter, before })
        times.push(...page.rows.map(({ createdAt }) => createdAt))
        before = page.next
      }
      return times
    }
    expect(await search({})).toEqual([8, 7, 6, 5, 4, 2, 1])
    expect(await search({ outcome: 'refused' })).toEqual([7, 6, 2])
    expect(await search({ outcome: 'running', since: 4 })).toEqual([8, 5, 4])
    expect(await search({ error: 'model_not_found' })).toEqual([6])
    expect(await search({ keyId: null })).toEqual([2])
    expect(await search({ endpoint: 'embeddings' })).toEqual([7])
    expect(await search({ endpoint: 'responses' })).toEqual([])
    expect(await search({ since: 5, keyId: 'key_1' })).toEqual([8, 7, 6, 5])
    expect(await search({ since: 2, until: 6 })).toEqual([5, 4, 2])
    expect(await search({ matching: { requestId: 'req_none', errors: ['model_not_found'] } })).toEqual([6])
    expect(await search({ matching: { requestId: 'req_', errors: [] }, until: 5 })).toEqual([4, 2, 1])
    expect(await store.requestLog.find(refused[0]?.requestId ?? '')).toEqual(refused[0])
    expect(await store.usage.verify()).toMatchObject({ checkedRequests: 0, differences: [] })
    expect(await store.requestLog.prune(7, 1)).toBe(1)
    expect(await search({ outcome: 'refused' })).toEqual([7, 6])
  })

  test('refused requests are counted by their error, with those that were not recorded', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const other = await data.addOrganisation()
    const error = 'model_not_found'
    await store.requestLog.refuse([
      refusalOf(id, { createdAt: 9 }),
      refusalOf(id, { createdAt: 10, error }),
      refusalOf(id, { createdAt: 11, leftOut: 40 }),
      refusalOf(id, { createdAt: 19, error }),
      refusalOf(id, { createdAt: 20 }),
      refusalOf(other, { createdAt: 12 }),
    ])
    expect(await store.requestLog.countRefused(id, 10, 20)).toEqual([
      { error: 'rate_limit_requests', count: 41 },
      { error, count: 2 },
    ])
    expect(await store.requestLog.countRefused(id, 100, 200)).toEqual([])
  })

  test('of one organisation only the newest refusals are kept', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const batch = (from: number) =>
      Array.from({ length: 5_001 }, (_, index) => refusalOf(id, { createdAt: from + index }))
    await store.requestLog.refuse(batch(1))
    await store.requestLog.refuse(batch(5_002))
    expect(await store.requestLog.prune(3, 9)).toBe(0)
    expect(await store.requestLog.prune(5, 9)).toBe(2)
  })

  test('refusals of the whole server are counted by error and limit, the newest of them', async () => {
    await using data = await create()
    await using store = await data.open()
    const [one, two] = [await data.addOrganisation(), await data.addOrganisation()]
    const limit = { name: 'tokensPerDay', scope: 'organisation', limit: 10, used: 9, requested: 2, waitMs: 1 } as const
    const error = 'budget_exceeded'
    await store.requestLog.refuse([
      refusalOf(one, { error: 'model_not_found', createdAt: 1_000 }),
      refusalOf(one, { error, limit, createdAt: 2_000 }),
      refusalOf(two, { error, limit: { ...limit, used: 10 }, createdAt: 3_000, leftOut: 5 }),
      refusalOf(two, { error, limit: { ...limit, scope: 'key' }, createdAt: 4_000 }),
    ])
    const count = (since: number, looked: number) => store.requestLog.countServerRefusals({ since, looked, limit: 2 })
    const ofOrganisation = { error, limit: { name: 'tokensPerDay', scope: 'organisation' } }
    const ofKey = { error, limit: { name: 'tokensPerDay', scope: 'key' }, requests: 1 }
    expect(await count(0, 100)).toEqual([{ ...ofOrganisation, requests: 7 }, ofKey])
    expect(await count(0, 2)).toEqual([{ ...ofOrganisation, requests: 6 }, ofKey])
    expect(await count(4_000, 100)).toEqual([ofKey])
  })
})
