import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Settlement } from '../../../src/store/ledger-contract.ts'
import { summariseUsage } from '../../../src/usage/summarise.ts'
import { reservationOf, settlementOf } from '../../harness/ledger-records.ts'
import { eachStore, type StoreData } from './each-store.ts'

const tokens = fc.nat({ max: 1_000 })
const step = fc.record({
  keyId: fc.constantFrom(null, 'key_1', 'key_2'),
  model: fc.constantFrom('helix-v1', 'other'),
  day: fc.constantFrom(20261114, 20261115, 20261130),
  promptTokens: tokens,
  completionTokens: tokens,
  firstTokenMs: fc.option(tokens),
  timedMs: fc.option(tokens),
  costMicros: fc.option(tokens),
  isEstimated: fc.boolean(),
  outcome: fc.constantFrom<Settlement['outcome']>('completed', 'failed', 'client_closed', 'server_died'),
  times: fc.integer({ min: 0, max: 3 }),
  batch: fc.nat({ max: 3 }),
})

eachStore((create) => {
  test('whatever happened, the totals are the sums of what was settled', async () => {
    await using data = await create()
    await using store = await data.open()
    const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const organisation = await data.addOrganisation()
      const history = steps.map(({ keyId, model, times, batch, timedMs, ...rest }) => {
        const reservation = reservationOf(organisation, { keyId, model })
        const settled = { ...rest, ...(timedMs === null ? {} : { timedMs }) }
        return { times, batch, reservation, settlement: settlementOf(reservation.requestId, settled) }
      })
      await store.ledger.reserve(history.map(({ reservation }) => reservation))
      const told = await Promise.all(
        [0, 1, 2, 3].map((number) => {
          const together = history.filter(({ batch }) => batch === number)
          return store.ledger.settle(
            together.flatMap(({ times, settlement }) => Array.from({ length: times }, () => settlement)),
            [],
          )
        }),
      )
      const settled = history.filter(({ times }) => times > 0)
      expect(told.reduce((sum, closed) => sum + closed, 0)).toBe(settled.length)

      const sumOf = (some: typeof settled) =>
        some.reduce((sum, { settlement }) => sum + settlement.promptTokens + settlement.completionTokens, 0)
      for (const keyId of [null, 'key_1', 'key_2']) {
        for (const day of [20261114, 20261115, 20261130]) {
          const mine = settled.filter(({ reservation, settlement }) => {
            return reservation.keyId === keyId && settlement.day === day
          })
          const rows = await store.usage.rows({ organisationId: organisation, keyId, fromDay: day, toDay: day })
          const add = (
            name:
              | 'requests'
              | 'failed'
              | 'clientClosed'
              | 'firstTokens'
              | 'timedTokens'
              | 'timedMs'
              | 'estimated'
              | 'costMicros',
          ) => rows.reduce((sum, row) => sum + row[name], 0)
          const having = (outcomes: string[]) =>
            mine.filter(({ settlement }) => outcomes.includes(settlement.outcome)).length
          expect(add('requests')).toBe(mine.length)
          expect(add('failed')).toBe(having(['failed', 'server_died']))
          expect(add('clientClosed')).toBe(having(['client_closed']))
          expect(add('estimated')).toBe(mine.filter(({ settlement }) => settlement.isEstimated === true).length)
          expect(add('costMicros')).toBe(mine.reduce((sum, { settlement }) => sum + (settlement.costMicros ?? 0), 0))
          expect(add('firstTokens')).toBe(mine.filter(({ settlement }) => settlement.firstTokenMs !== null).length)
          const timed = mine.filter(({ settlement }) => settlement.timedMs !== undefined)
          expect(add('timedTokens')).toBe(
            timed.reduce((sum, { settlement }) => sum + settlement.completionTokens - 1, 0),
          )
          expect(add('timedMs')).toBe(timed.reduce((sum, { settlement }) => sum + (settlement.timedMs ?? 0), 0))
          expect(rows.reduce((sum, row) => sum + row.promptTokens + row.completionTokens, 0)).toBe(sumOf(mine))
          if (keyId !== null) {
            const subject = { organisationId: organisation, keyId, fromDay: day, toDay: day }
            expect(await store.usage.tokens(subject)).toBe(sumOf(mine))
          }
        }
      }
      const all = { organisationId: organisation, keyId: null, fromDay: 0, toDay: 99991231 }
      expect(await store.usage.tokens(all)).toBe(sumOf(settled))
      const period = { organisationId: organisation, fromDay: 20261114, toDay: 20261115 }
      const summed = summariseUsage(await store.usage.rows(period), 'day')
      expect(await store.usage.days(period)).toEqual(summed.map(({ keyId, model, ...sum }) => sum))
    })
    await fc.assert(property, { numRuns: 25 })
    expect((await store.usage.verify()).differences).toEqual([])
  })

  const withThreeDays = async (data: StoreData) => {
    const store = await data.open()
    const { id } = await store.organisations.first()
    for (const day of [20261113, 20261114, 20261115]) {
      const requests = [reservationOf(id), reservationOf(id, { keyId: null })]
      await store.ledger.reserve(requests)
      await store.ledger.settle(
        requests.map(({ requestId }) => settlementOf(requestId, { day, endedAt: day })),
        [],
      )
    }
    return store
  }

  test('a total that somebody changed is found, with what it should be', async () => {
    await using data = await create()
    await using store = await withThreeDays(data)
    expect(await store.usage.verify()).toEqual({ checkedRequests: 6, fromDay: 20261113, differences: [] })
    await data.exec(
      'UPDATE usage_days SET completion_tokens = 21 WHERE day = 20261114 AND party = (SELECT id FROM ledger_parties WHERE key_id IS NOT NULL)',
    )
    await data.exec(
      'DELETE FROM usage_days WHERE day = 20261115 AND party = (SELECT id FROM ledger_parties WHERE key_id IS NULL)',
    )
    const { differences } = await store.usage.verify()
    expect(differences).toMatchObject([
      { day: 20261114, keyId: 'key_1', kept: { completionTokens: 21 }, counted: { completionTokens: 20 } },
      { day: 20261115, keyId: null, kept: null, counted: { requests: 1 } },
    ])
  })

  test('a ledger that somebody changed is found as well', async () => {
    await using data = await create()
    await using store = await withThreeDays(data)
    await data.exec('DELETE FROM ledger_reservations WHERE sequence = 1')
    await data.unlockLedger()
    await data.exec('UPDATE ledger_settlements SET prompt_tokens = 11 WHERE reservation = 4')
    const { differences } = await store.usage.verify()
    expect(differences).toMatchObject([
      { day: 20261113, keyId: 'key_1', kept: { requests: 1 }, counted: null },
      { day: 20261114, keyId: null, kept: { promptTokens: 10 }, counted: { promptTokens: 11 } },
    ])
  })

  test('what is old enough goes, the totals stay, and days that are not whole any more are not compared', async () => {
    await using data = await create()
    await using store = await withThreeDays(data)
    const filter = { organisationId: null, fromDay: 0, toDay: 99991231 }
    const totals = await store.usage.rows(filter)
    expect(await store.ledger.prune(20261113, 100)).toBe(0)
    expect(await store.ledger.prune(20261115, 1)).toBe(1)
    expect(await store.usage.verify()).toEqual({ checkedRequests: 4, fromDay: 20261114, differences: [] })
    expect(await store.ledger.prune(20261115, 100)).toBe(3)
    expect(await store.usage.verify()).toEqual({ checkedRequests: 2, fromDay: 20261115, differences: [] })
    expect(await store.usage.rows(filter)).toEqual(totals)
    expect(await store.ledger.since(0)).toHaveLength(2)
  })

  test('the largest organisations and models of the server are summed over days', async () => {
    await using data = await create()
    await using store = await data.open()
    const [one, two, third] = [await data.addOrganisation(), await data.addOrganisation(), await data.addOrganisation()]
    const settle = async (organisationId: string, model: string, day: number, promptTokens: number) => {
      const reservation = reservationOf(organisationId, { model })
      await store.ledger.reserve([reservation])
      await store.ledger.settle([settlementOf(reservation.requestId, { day, promptTokens, completionTokens: 0 })], [])
    }
    await settle(one, 'small', 20261114, 5)
    await settle(one, 'large', 20261115, 5)
    await settle(two, 'large', 20261115, 30)
    await settle(third, 'small', 20261115, 1)
    await settle(third, 'small', 20261201, 1000)
    const period = { fromDay: 20261114, toDay: 20261115 }
    const largest = await store.usage.largest('organisation', { ...period, limit: 2 })
    expect(largest.map(({ id, promptTokens, requests }) => [id, promptTokens, requests])).toEqual([
      [two, 30, 1],
      [one, 10, 2],
    ])
    expect(largest.every(({ name }) => typeof name === 'string')).toBe(true)
    const models = await store.usage.largest('model', { ...period, limit: 10 })
    expect(models.map(({ id, name, promptTokens }) => [id, name, promptTokens])).toEqual([
      ['large', null, 35],
      ['small', null, 6],
    ])
    const days = await store.usage.days({ organisationId: null, ...period })
    expect(days.map(({ day, promptTokens }) => [day, promptTokens])).toEqual([
      [20261114, 5],
      [20261115, 36],
    ])
  })
})
