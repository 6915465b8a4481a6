import { expect, test } from 'vitest'
import type {
  ReservationRecord,
  SettledUsage,
  SettledUsageFilter,
  Settlement,
} from '../../../src/store/ledger-contract.ts'
import { reservationOf, settlementOf } from '../../harness/ledger-records.ts'
import { eachStore } from './each-store.ts'

const hourMs = 3_600_000
const start = Date.UTC(2001, 10, 15)

eachStore((create) => {
  test('settled requests are counted by quarter, key, endpoint and outcome, in steps that miss none and count none twice', async () => {
    await using data = await create()
    await using store = await data.open()
    const organisation = await data.addOrganisation()
    const add = async (
      keyId: string | null,
      endedAt: number,
      changes: Partial<Settlement> = {},
      reserved: Partial<ReservationRecord> = {},
      owner = organisation,
    ) => {
      const reservation = reservationOf(owner, { keyId, createdAt: endedAt - 1000, ...reserved })
      await store.ledger.reserve([reservation])
      await store.ledger.settle([settlementOf(reservation.requestId, { endedAt, day: 20011115, ...changes })], [])
    }
    await add('key_1', start - 1)
    await add('key_1', start)
    await add('key_2', start + hourMs / 4 - 1, { outcome: 'failed', firstTokenMs: null, costMicros: 7 })
    await add(null, start + hourMs, {}, { endpoint: 'playground' })
    await add('key_1', start + hourMs, { outcome: 'client_closed' })
    await add('key_1', start + hourMs)
    await add('key_1', start + hourMs, {}, { endpoint: 'messages' })
    await add('key_1', start + 2 * hourMs)
    await add('key_1', start + hourMs, {}, {}, await data.addOrganisation())
    // Begun and not settled.
    await store.ledger.reserve([reservationOf(organisation, { createdAt: start })])

    const countAll = async (limit: number): Promise<SettledUsage[]> => {
      const filter = { organisationId: organisation, from: start, until: start + 2 * hourMs, limit }
      const rows: SettledUsage[] = []
      for (let place: SettledUsageFilter['place'] = null; ; ) {
        const page = await store.usage.settled({ ...filter, place })
        rows.push(...page.rows)
        if (page.next === null) return rows
        place = page.next
      }
    }
    for (const limit of [1, 2, 3, 100]) {
      const rows = await countAll(limit)
      const shown = rows.map(
        ({ startsAt, keyId, endpoint, outcome }) => `${(startsAt - start) / hourMs} ${keyId} ${endpoint} ${outcome}`,
      )
      expect(shown.toSorted()).toEqual([
        '0 key_1 chat.completions completed',
        '0 key_2 chat.completions failed',
        '1 key_1 chat.completions client_closed',
        '1 key_1 chat.completions completed',
        '1 key_1 messages completed',
        '1 null playground completed',
      ])
      const sum = (name: 'requests' | 'failed' | 'clientClosed' | 'firstTokens' | 'costMicros' | 'promptTokens') =>
        rows.reduce((total, row) => total + row[name], 0)
      expect([sum('requests'), sum('failed'), sum('clientClosed')]).toEqual([6, 1, 1])
      expect([sum('firstTokens'), sum('costMicros'), sum('promptTokens')]).toEqual([5, 7, 60])
    }
  })

  test('a request that was settled days after it began, when its server was started again, hides no others', async () => {
    await using data = await create()
    await using store = await data.open()
    const organisationId = await data.addOrganisation()
    const [left, ended] = [
      reservationOf(organisationId, { createdAt: start }),
      reservationOf(organisationId, { createdAt: start + 1 }),
    ]
    await store.ledger.reserve([left])
    await store.ledger.reserve([ended])
    await store.ledger.settle([settlementOf(ended.requestId, { endedAt: start + 2 })], [])
    const restartedAt = start + 72 * hourMs
    await store.ledger.settle(
      [settlementOf(left.requestId, { endedAt: restartedAt, outcome: 'server_died', finishReason: null })],
      [],
    )
    const until = start + hourMs
    const { rows } = await store.usage.settled({ organisationId, from: start, until, limit: 10, place: null })
    expect(rows).toMatchObject([{ startsAt: start, outcome: 'completed', requests: 1 }])
    const found = await store.requestLog.search({ organisationId, until, before: null, limit: 10 })
    expect(found.rows.map(({ requestId }) => requestId)).toEqual([ended.requestId, left.requestId])
  })

  test('the horizon is the last day of which requests were removed', async () => {
    await using data = await create()
    await using store = await data.open()
    const organisation = await data.addOrganisation()
    expect(await store.usage.horizon()).toBeNull()
    const reservation = reservationOf(organisation)
    await store.ledger.reserve([reservation])
    await store.ledger.settle([settlementOf(reservation.requestId, { endedAt: start, day: 20011114 })], [])
    await store.ledger.prune(start + 1, 10)
    expect(await store.usage.horizon()).toBe(20011114)
  })
})
