import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import { replayOf, reservationOf, settlementOf } from '../../harness/ledger-records.ts'
import { eachStore } from './each-store.ts'

const allDays = { organisationId: null, fromDay: 0, toDay: 99991231 }

eachStore((create) => {
  test('a request comes back as it was reserved, and then as it was settled', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const limits = { requests: { scope: 'key', limit: 60, remaining: 59 }, tokens: null } as const
    const ignoredFields = { names: ['messages[].mood', '項目\ufffd'], more: 3 }
    const called = { keyId: null, endpoint: 'playground', stream: true, model: '模型' } as const
    const reservation = reservationOf(id, { ...called, limits, ignoredFields, cachedFrom: 'req_earlier' })
    await store.ledger.reserve([reservation])
    expect(await store.ledger.find(reservation.requestId)).toEqual({ ...reservation, settlement: null })
    const { requestId, ...settled } = settlementOf(reservation.requestId, {
      ...{ outcome: 'failed', finishReason: null, error: 'engine_failed', queueMs: null, firstTokenMs: null },
      route: { upstreams: ['gpu', '上流, 2'], attempts: 3, isContinued: true },
      pauses: { count: 3, ms: 4200 },
      hooks: 'secrets redacted 2',
    })
    expect(await store.ledger.settle([{ requestId, ...settled }], [])).toBe(1)
    expect(await store.ledger.find(requestId)).toEqual({ ...reservation, settlement: settled })
    expect(await store.ledger.find('req_unknown')).toBeNull()
  })

  test('of several reservations one that cannot be made takes the others with it, and leaves no trace', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const [first, again, other] = [reservationOf(id), reservationOf(id), reservationOf(id, { keyId: 'key_2' })]
    const together = [store.ledger.reserve([again, other, first, first]), store.ledger.reserve([first])]
    expect((await Promise.allSettled(together)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(await store.ledger.settle([settlementOf(again.requestId), settlementOf(first.requestId)], [])).toBe(1)
    await store.ledger.reserve([again, other])
    expect(await store.ledger.list({ organisationId: id, before: null, limit: 9 })).toMatchObject([
      { requestId: other.requestId, keyId: 'key_2', settlement: null },
      { requestId: again.requestId, keyId: 'key_1', settlement: null },
      { requestId: first.requestId, settlement: { completionTokens: 20 } },
    ])
  })

  test('a second settlement changes nothing, in the same message, a later one, or after a restart', async () => {
    await using data = await create()
    const reservation = reservationOf('')
    const settlement = settlementOf(reservation.requestId, { durationMs: 400.4 })
    const second = { ...settlement, completionTokens: 999, day: 20261116 }
    const look = async () => {
      await using store = await data.open()
      expect(await store.ledger.settle([second], [replayOf(reservation)])).toBe(0)
      const [row, ...others] = await store.usage.rows(allDays)
      expect([row, others]).toMatchObject([{ requests: 1, completionTokens: 20, durationMs: 400, day: 20261115 }, []])
      expect(await store.ledger.find(reservation.requestId)).toMatchObject({ settlement: { completionTokens: 20 } })
      expect(await store.replays.bytes()).toEqual(new Map())
    }
    {
      await using store = await data.open()
      reservation.organisationId = (await store.organisations.first()).id
      await store.ledger.reserve([reservation])
      expect(await store.ledger.settle([settlement, second], [])).toBe(1)
      expect(await store.ledger.settle([second], [])).toBe(0)
      expect(await store.ledger.settle([settlementOf('req_never_reserved')], [])).toBe(0)
    }
    await look()
  })

  test('what a dead server left open is settled at its last checkpoint', async () => {
    await using data = await create()
    const reservations = [1, 2, 3].map((n) => reservationOf('', { keyId: `key_${n}`, createdAt: 1_000 }))
    const [checkpointed, silent, settled] = reservations.map(({ requestId }) => requestId)
    const counts = { promptTokens: 7, cachedTokens: 2, completionTokens: 1, reasoningTokens: 0 }
    {
      await using store = await data.open()
      const { id } = await store.organisations.first()
      await store.ledger.reserve(reservations.map((reservation) => ({ ...reservation, organisationId: id })))
      await store.ledger.checkpoint([{ requestId: checkpointed ?? '', ...counts }], 2_000)
      await store.ledger.checkpoint(
        [{ requestId: checkpointed ?? '', ...counts, completionTokens: 5, reasoningTokens: 3 }],
        3_000,
      )
      await store.ledger.settle([settlementOf(settled ?? '')], [])
      await store.ledger.checkpoint([{ requestId: settled ?? '', ...counts, completionTokens: 500 }], 3_000)
      await store.ledger.checkpoint([{ requestId: 'req_unknown', ...counts }], 3_000)
    }
    await using store = await data.open()
    expect(await store.ledger.recover(9_000, 20261116)).toBe(2)
    expect(await store.ledger.recover(9_500, 20261116)).toBe(0)
    expect(await store.ledger.find(checkpointed ?? '')).toMatchObject({
      settlement: { ...counts, completionTokens: 5, reasoningTokens: 3, outcome: 'server_died', durationMs: 2_000 },
    })
    expect(await store.ledger.find(silent ?? '')).toMatchObject({
      settlement: { promptTokens: 0, completionTokens: 0, durationMs: 0, endedAt: 9_000, day: 20261116 },
    })
    expect(await store.ledger.find(settled ?? '')).toMatchObject({ settlement: { completionTokens: 20 } })
    expect(await store.usage.verify()).toEqual({ checkedRequests: 3, fromDay: 20261115, differences: [] })
  })

  test('a guess is replaced once by the settlement of the server that ran the request, with the difference in all totals', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const price = { promptMicros: 1_000_000, cachedMicros: 1_000_000, completionMicros: 1_000_000 }
    const [guessed, other] = [reservationOf(id, { price }), reservationOf(id)]
    await store.ledger.reserve([guessed, other])
    const { requestId } = guessed
    const counts = { promptTokens: 10, cachedTokens: 3, completionTokens: 5, reasoningTokens: 0 }
    await store.ledger.checkpoint([{ requestId, ...counts }], 2_000)
    const settlement = settlementOf(requestId, {
      costMicros: 30,
      day: 20261114,
      timedMs: 350,
      route: { upstreams: ['gpu'], attempts: 1, isContinued: false },
    })
    expect(await store.ledger.replaceGuess(settlement, null)).toBeNull()
    await store.ledger.recover(9_000, 20261115)
    const replay = replayOf(guessed)
    // Another guess must have more tokens.
    const worse = { ...settlement, outcome: 'server_died', completionTokens: 5 } as const
    expect(await store.ledger.replaceGuess(worse, null)).toBeNull()
    expect(await store.ledger.replaceGuess(settlement, replay)).toMatchObject({
      ...{ organisationId: id, keyId: 'key_1', model: 'helix-v1' },
      guess: { outcome: 'server_died', completionTokens: 5, costMicros: 15, day: 20261115 },
    })
    expect(await store.ledger.replaceGuess({ ...settlement, completionTokens: 999 }, null)).toBeNull()
    const { requestId: _, ...stored } = settlement
    expect(await store.ledger.find(requestId)).toMatchObject({ settlement: stored })
    expect(await store.replays.find(id, replay.keyHash, 3_000)).toMatchObject({ requestId, content: replay.content })
    expect(await store.usage.rows(allDays)).toMatchObject([
      {
        day: 20261114,
        requests: 1,
        failed: 0,
        completionTokens: 20,
        costMicros: 30,
        firstTokenMs: 50,
        timedTokens: 19,
        timedMs: 350,
      },
      { day: 20261115, requests: 1, failed: 1, completionTokens: 0, costMicros: 0 },
    ])
    expect(await store.usage.verify()).toMatchObject({ checkedRequests: 2, differences: [] })
    await store.ledger.replaceGuess(settlementOf(other.requestId, { day: 20261114 }), null)
    // Of a day without requests no totals are left.
    expect(await store.usage.rows(allDays)).toMatchObject([{ day: 20261114, requests: 2, completionTokens: 40 }])
    expect((await store.usage.verify()).differences).toEqual([])
  })

  test('a guess stays if the request was executed again for its idempotency key', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const [first, again] = [reservationOf(id), reservationOf(id)]
    await store.ledger.reserve([first])
    await store.ledger.recover(9_000, 20261115)
    await store.ledger.reserve([again])
    await store.ledger.settle([settlementOf(again.requestId)], [replayOf(again)])
    expect(await store.ledger.replaceGuess(settlementOf(first.requestId), replayOf(first))).toBeNull()
    expect(await store.ledger.find(first.requestId)).toMatchObject({ settlement: { outcome: 'server_died' } })
  })

  test('the answer that comes with a replaced guess takes the place of one that has expired', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const [earlier, guessed] = [reservationOf(id), reservationOf(id)]
    await store.ledger.reserve([earlier])
    await store.ledger.settle([settlementOf(earlier.requestId)], [replayOf(earlier, { expiresAt: 2_500 })])
    await store.ledger.reserve([guessed])
    await store.ledger.recover(9_000, 20261115)
    const replay = replayOf(guessed, { createdAt: 2_500, content: '{}' })
    expect(await store.ledger.replaceGuess(settlementOf(guessed.requestId), replay)).not.toBeNull()
    // Otherwise the next request with the key would be executed, and billed again.
    expect(await store.replays.find(id, replay.keyHash, 3_000)).toEqual(replay)
  })

  test('costs come back with the price, add up, and recovery charges the price of the reservation', async () => {
    await using data = await create()
    const price = { promptMicros: 1_000_000, cachedMicros: 100_000, completionMicros: 2_500_000 }
    const [settled, open] = await (async () => {
      await using store = await data.open()
      const { id } = await store.organisations.first()
      const [one, other] = [reservationOf(id, { price, reservedMicros: 250 }), reservationOf(id, { price })]
      await store.ledger.reserve([one, other, reservationOf(id, { keyId: 'key_2' })])
      await store.ledger.settle([settlementOf(one.requestId, { costMicros: 57, isEstimated: true })], [])
      const counts = { promptTokens: 10, cachedTokens: 5, completionTokens: 3, reasoningTokens: 0 }
      await store.ledger.checkpoint([{ requestId: other.requestId, ...counts }], 2_000)
      return [one, other]
    })()
    await using store = await data.open()
    expect(await store.ledger.recover(9_000, 20261115)).toBe(2)
    expect(await store.ledger.find(settled.requestId)).toMatchObject({
      ...{ price, reservedMicros: 250, settlement: { costMicros: 57, isEstimated: true } },
    })
    // 5 × 1 + 5 × 0.1 + 3 × 2.5
    expect(await store.ledger.find(open.requestId)).toMatchObject({ settlement: { costMicros: 13 } })
    const subject = { organisationId: settled.organisationId, keyId: 'key_1', fromDay: 20261115, toDay: 20261115 }
    expect(await store.usage.costMicros(subject)).toBe(70)
    expect(await store.usage.rows({ ...allDays, keyId: 'key_1' })).toMatchObject([{ costMicros: 70, estimated: 1 }])
    expect(await store.usage.rows({ ...allDays, keyId: 'key_2' })).toMatchObject([{ costMicros: 0, estimated: 0 }])
    expect((await store.usage.verify()).differences).toEqual([])
    await data.exec(
      "UPDATE usage_days SET cost = cost + 1 WHERE party = (SELECT id FROM ledger_parties WHERE key_id = 'key_1')",
    )
    expect((await store.usage.verify()).differences).toMatchObject([
      { kept: { costMicros: 71 }, counted: { costMicros: 70 } },
    ])
  })

  test('no reservation and no settlement can be changed', async () => {
    await using data = await create()
    await using store = await data.open()
    const reservation = reservationOf((await store.organisations.first()).id)
    await store.ledger.reserve([reservation])
    const counts = { promptTokens: 7, cachedTokens: 2, completionTokens: 1, reasoningTokens: 0 }
    await store.ledger.checkpoint([{ requestId: reservation.requestId, ...counts }], 2_000)
    await store.ledger.settle([settlementOf(reservation.requestId)], [])
    for (const change of [
      'UPDATE ledger_reservations SET reserved_tokens = 0',
      'UPDATE ledger_settlements SET completion_tokens = 0',
    ]) {
      await expect(data.exec(change)).rejects.toThrow('the ledger is append-only')
    }
    await expect(data.exec('INSERT INTO ledger_settlements SELECT * FROM ledger_settlements')).rejects.toThrow(
      /unique/i,
    )
  })

  test('a list shows the newest first, page by page, and only what an organisation asked itself', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const other = await data.addOrganisation()
    const mine = Array.from({ length: 7 }, (_, n) => reservationOf(id, { keyId: n % 3 === 0 ? null : `key_${n % 3}` }))
    const theirs = reservationOf(other)
    await store.ledger.reserve([...mine.slice(0, 4), theirs, ...mine.slice(4)])
    const newest = mine.map(({ requestId }) => requestId).reverse()
    const list = async (before: string | null, limit: number, organisationId: string | null = id) =>
      (await store.ledger.list({ organisationId, before, limit })).map(({ requestId }) => requestId)
    expect(await list(null, 3)).toEqual(newest.slice(0, 3))
    expect(await list(newest[2] ?? '', 3)).toEqual(newest.slice(3, 6))
    expect(await list(newest[5] ?? '', 3)).toEqual(newest.slice(6))
    expect(await list(theirs.requestId, 3)).toEqual([])
    expect(await list(null, 9, other)).toEqual([theirs.requestId])
    expect(await list(theirs.requestId, 2, null)).toEqual(newest.slice(3, 5))
  })

  test('what was reserved or settled since a time is told, for windows that outlast a restart', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const reserve = async (createdAt: number, endedAt: number | null) => {
      const reservation = reservationOf(id, { createdAt })
      await store.ledger.reserve([reservation])
      if (endedAt !== null) await store.ledger.settle([settlementOf(reservation.requestId, { endedAt })], [])
      return reservation.requestId
    }
    await reserve(100, 900)
    await reserve(100, null)
    const wanted = [await reserve(100, 1_000), await reserve(1_000, null), await reserve(1_200, 1_300)]
    expect((await store.ledger.since(1_000)).map(({ requestId }) => requestId)).toEqual(wanted)
  })

  test('an answer is kept with its settlement until it expires, and takes the place of an expired one', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const other = await data.addOrganisation()
    const settle = async (changes: Parameters<typeof replayOf>[1]) => {
      const reservation = reservationOf(id)
      const replay = replayOf(reservation, changes)
      await store.ledger.reserve([reservation])
      expect(await store.ledger.settle([settlementOf(reservation.requestId)], [replay])).toBe(1)
      return replay
    }
    const first = await settle({})
    const find = (now: number, organisation = id) => store.replays.find(organisation, first.keyHash, now)
    expect(await find(8_999)).toEqual(first)
    expect(await find(9_000)).toBeNull()
    expect(await find(8_999, other)).toBeNull()
    await settle({ createdAt: 8_999, expiresAt: 20_000 })
    expect(await find(8_999)).toEqual(first)
    const third = await settle({ createdAt: 9_000, expiresAt: 20_000, content: 'x'.repeat(100_000) })
    expect(await find(9_000)).toEqual(third)
    expect(await store.replays.bytes()).toEqual(new Map([[id, 100_000]]))
    expect(await store.replays.removeExpired(19_999)).toBe(0)
    expect(await store.replays.removeExpired(20_000)).toBe(1)
    expect(await store.replays.bytes()).toEqual(new Map())
  })

  test('of a deleted account the ledger keeps the sums and forgets the names', async () => {
    await using data = await create()
    await using store = await data.open()
    const token = Buffer.alloc(32)
    const account = {
      ...({ id: 'usr_1', email: 'a@b.c', emailKey: 'a@b.c', language: 'en', createdAt: 0 } as const),
      emailSpellings: ['a@b.c'],
      ...{ passwordHash: 'hash', organisationName: 'Mine' },
    }
    await store.links.replaceSetup(token, 0)
    await store.accounts.claim(token, account)
    const { id } = await store.organisations.first()
    const [first, second, running] = ['key_1', 'key_2', 'key_1'].map((keyId) => reservationOf(id, { keyId }))
    if (first === undefined || second === undefined || running === undefined) throw new Error('three were made')
    await store.ledger.reserve([first, second, running])
    await store.ledger.settle(
      [first, second].map(({ requestId }) => settlementOf(requestId)),
      [replayOf(first)],
    )
    const next = { id: 'org_next', name: 'Next', createdAt: 0 }
    expect(await store.accounts.remove(account.id, next)).toMatchObject({ outcome: 'deleted' })
    await store.ledger.settle([settlementOf(running.requestId)], [replayOf(running)])
    const late = reservationOf(id)
    await store.ledger.reserve([late])
    await store.ledger.settle([settlementOf(late.requestId)], [replayOf(late)])
    const rows = await store.usage.rows(allDays)
    expect(rows.map(({ requests }) => requests)).toEqual([2, 1, 1])
    expect(new Set(rows.map(({ keyId }) => keyId)).size).toBe(3)
    expect(new Set(rows.map(({ organisationId }) => organisationId)).size).toBe(2)
    expect(JSON.stringify([rows, await store.ledger.since(0)])).not.toMatch(/org_|key_/)
    expect(await store.usage.tokens({ organisationId: null, keyId: null, fromDay: 0, toDay: 99991231 })).toBe(120)
    expect(await store.usage.verify()).toMatchObject({ checkedRequests: 4, differences: [] })
    expect(await store.replays.bytes()).toEqual(new Map())
  })

  test('however many requests came and went, exactly the open ones are settled after a crash', async () => {
    await using data = await create()
    let id = ''
    const reserve = async (store: Store, count: number): Promise<string[]> => {
      const reservations = Array.from({ length: count }, () => reservationOf(id))
      await store.ledger.reserve(reservations)
      return reservations.map(({ requestId }) => requestId)
    }
    const settle = (store: Store, requestIds: readonly string[]): Promise<number> =>
      store.ledger.settle(
        requestIds.map((requestId) => settlementOf(requestId)),
        [],
      )
    {
      await using store = await data.open()
      id = (await store.organisations.first()).id
      const [oldest = '', ...early] = await reserve(store, 300)
      expect(await settle(store, early)).toBe(299)
      expect(await settle(store, await reserve(store, 600))).toBe(600)
      expect(await settle(store, [oldest, oldest])).toBe(1)
      const late = await reserve(store, 21)
      expect(await settle(store, late.slice(1, 20))).toBe(19)
    }
    {
      await using store = await data.open()
      expect(await store.ledger.recover(9_000, 20261116)).toBe(2)
      expect(await store.usage.verify()).toMatchObject({ checkedRequests: 921, differences: [] })
      // With an empty ledger the numbers of its rows begin again.
      expect(await store.ledger.prune(10_000, 1_000)).toBe(921)
      expect(await reserve(store, 3)).toHaveLength(3)
    }
    await using store = await data.open()
    expect(await store.ledger.recover(9_000, 20261116)).toBe(3)
    expect(await store.ledger.recover(9_000, 20261116)).toBe(0)
  })

  test('a request has one checkpoint, however often it is written, and none once it has been settled for long', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const [settled, running] = [reservationOf(id), reservationOf(id)]
    await store.ledger.reserve([settled, running])
    const counts = { promptTokens: 7, cachedTokens: 2, completionTokens: 1, reasoningTokens: 0 }
    for (const now of [2_000, 2_500, 3_000])
      await store.ledger.checkpoint(
        [settled, running].map(({ requestId }) => ({ requestId, ...counts })),
        now,
      )
    await store.ledger.settle([settlementOf(settled.requestId)], [])
    expect(await store.ledger.pruneCheckpoints(3_000, 10)).toBe(0)
    expect(await store.ledger.pruneCheckpoints(3_001, 10)).toBe(1)
    expect(await store.ledger.recover(9_000, 20261116)).toBe(1)
    expect(await store.ledger.find(running.requestId)).toMatchObject({ settlement: counts })
  })
})
