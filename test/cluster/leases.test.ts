import { describe, expect, test } from 'vitest'
import { oneAtATime } from '../../src/nodes/one-at-a-time.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { reservationOf, settlementOf } from '../harness/ledger-records.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openScratchLease } from '../harness/open-scratch-lease.ts'
import { openSharedStores, type SharedStore } from '../harness/postgres/open-shared-stores.ts'
import { createScratchDatabase } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'

const postgres = await startedPostgres()
const minuteMs = 60_000

/** Two nodes, `one` and `two`, on one database. */
const openTwo = async () => {
  const data = await openSharedStores(postgres, 2)
  const [storeOne, storeTwo] = data.stores
  if (storeOne === undefined || storeTwo === undefined) throw new Error('there are two')
  const one = await openScratchLease(storeOne.nodes, 'one')
  const two = await openScratchLease(storeTwo.nodes, 'two')
  return {
    ...{ ...data, storeOne, storeTwo, one, two, organisationId: (await storeOne.organisations.first()).id },
    async [Symbol.asyncDispose]() {
      await one.lease.close()
      await two.lease.close()
      await data[Symbol.asyncDispose]()
    },
  }
}

const outcomeOf = async (store: SharedStore, requestId: string) => {
  const row = await store.ledger.find(requestId)
  return row?.settlement && { outcome: row.settlement.outcome, completionTokens: row.settlement.completionTokens }
}

/** As many heartbeats as a node needs before it judges others. */
const beatSteadily = async (node: { beat(): Promise<void> }): Promise<void> => {
  for (let beats = 0; beats < 6; beats += 1) await node.beat()
}

describe.skipIf(postgres === null)('nodes on one database', () => {
  test('list each other, by name, until they stop', async () => {
    await using data = await openTwo()
    const { one, two } = data
    const namesAt = async (node: typeof one) => (await node.lease.list()).map(({ name, isOwn }) => `${name} ${isOwn}`)
    expect(await namesAt(one)).toEqual(['one true', 'two false'])
    expect(await namesAt(two)).toEqual(['one false', 'two true'])
    await one.lease.close()
    expect(await namesAt(two)).toEqual(['two true'])
  })

  test('say with each heartbeat how busy they are', async () => {
    await using data = await openTwo()
    data.one.status = { ...data.one.status, running: 7 }
    await data.age(data.one.lease.id(), 10_000)
    expect((await data.two.lease.list())[0]).toMatchObject({ name: 'one', status: { running: 1 } })
    expect((await data.two.lease.list())[0]?.seenMsAgo).toBeGreaterThanOrEqual(10_000)
    await data.one.beat()
    expect((await data.two.lease.list())[0]).toMatchObject({ name: 'one', status: { running: 7 } })
    expect((await data.two.lease.list())[0]?.seenMsAgo).toBeLessThan(10_000)
  })

  test('a task is for one of them until it has been silent for long enough', async () => {
    await using data = await openTwo()
    const { one, two } = data
    const both = await Promise.all([one.lease.holdTask('prune', minuteMs), two.lease.holdTask('prune', minuteMs)])
    expect(both.filter((held) => held)).toHaveLength(1)
    const [holder, other] = both[0] ? [one, two] : [two, one]
    expect(await holder.lease.holdTask('prune', minuteMs)).toBe(true)
    expect(await other.lease.holdTask('another', minuteMs)).toBe(true)
    await data.exec(`UPDATE task_leases SET until = until - ${minuteMs}`)
    expect(await other.lease.holdTask('prune', minuteMs)).toBe(true)
    expect(await holder.lease.holdTask('prune', minuteMs)).toBe(false)
  })

  test('expired requests are deleted by one of them, while the other has nothing to do', async () => {
    await using data = await openTwo()
    const ended = Array.from({ length: 450 }, () => reservationOf(data.organisationId))
    await data.storeOne.ledger.reserve(ended)
    const settlements = ended.map(({ requestId }) => settlementOf(requestId))
    await data.storeOne.ledger.settle(settlements, [])
    const pruneAt = async (store: SharedStore, { lease }: typeof data.one): Promise<number> => {
      const prune = oneAtATime(lease, 'prune the ledger', store.ledger.prune)
      let sum = 0
      for (let removed = 100; removed === 100; sum += removed) removed = await prune(9_000, 100)
      return sum
    }
    const removed = await Promise.all([pruneAt(data.storeOne, data.one), pruneAt(data.storeTwo, data.two)])
    expect(removed.sort((one, two) => one - two)).toEqual([0, 450])
    expect(await data.storeTwo.ledger.list({ organisationId: null, before: null, limit: 9 })).toEqual([])
  })

  test('a start settles nothing of another living node', async () => {
    await using data = await openTwo()
    const open = reservationOf(data.organisationId)
    await data.storeOne.ledger.reserve([open])
    expect(await data.storeTwo.ledger.recover(9_000, 20011115)).toBe(0)
    await beatSteadily(data.two)
    expect(data.two.ended).toEqual([])
    expect(await data.storeOne.ledger.settle([settlementOf(open.requestId)], [])).toBe(1)
  })

  test('the open requests of a node that died are settled at their last checkpoints, and it is removed', async () => {
    await using data = await openTwo()
    const { one, two, storeOne, storeTwo } = data
    const [written, begun] = [reservationOf(data.organisationId), reservationOf(data.organisationId)]
    await storeOne.ledger.reserve([written, begun])
    const { promptTokens, cachedTokens, reasoningTokens } = settlementOf(written.requestId)
    const counts = { promptTokens, cachedTokens, completionTokens: 17, reasoningTokens, isEstimated: false }
    await storeOne.ledger.checkpoint([{ requestId: written.requestId, ...counts }], 5_000)
    const dead = one.lease.id()
    await data.age(dead, minuteMs)
    // The first was at its start.
    for (let beats = 0; beats < 4; beats += 1) await two.beat()
    // It does not judge yet: after an outage of the database every other node would seem dead.
    expect(two.ended).toEqual([])
    await two.beat()
    expect(two.ended).toEqual([dead])
    expect(await two.logged({ event: 'node_ended', node: dead })).toMatchObject({ name: 'one', requests: 2 })
    expect(await outcomeOf(storeTwo, written.requestId)).toEqual({ outcome: 'server_died', completionTokens: 17 })
    expect(await outcomeOf(storeTwo, begun.requestId)).toEqual({ outcome: 'server_died', completionTokens: 0 })
    expect((await two.lease.list()).map(({ name }) => name)).toEqual(['two'])
    // Statements of the dead node may arrive for a while, so that it is looked at again until it is removed.
    await data.age(dead, 2 * minuteMs)
    await two.beat()
    expect(await two.logged({ event: 'node_ended', isRemoved: true })).toMatchObject({ node: dead, requests: 0 })
    await two.beat()
    expect(two.ended).toEqual([dead, dead])
    expect(await storeTwo.usage.verify()).toMatchObject({ differences: [] })
  })

  test('a node that was paused ends its answers and goes on under another id', async () => {
    await using data = await openTwo()
    const { one, two, storeOne } = data
    const open = reservationOf(data.organisationId)
    await storeOne.ledger.reserve([open])
    const before = one.lease.id()
    await data.age(before, minuteMs)
    await beatSteadily(two)
    // It has not noticed yet, and cannot begin anything that nobody would settle.
    await expect(storeOne.ledger.reserve([reservationOf(data.organisationId)])).rejects.toThrow('lease')
    expect(await storeOne.ledger.settle([settlementOf(open.requestId)], [])).toBe(0)
    await one.beat()
    expect(one.losses).toBe(1)
    expect(one.lease.id()).not.toBe(before)
    expect(await one.logged({ event: 'node_registered_again' })).toMatchObject({ before, node: one.lease.id() })
    const next = reservationOf(data.organisationId)
    await storeOne.ledger.reserve([next])
    expect(await storeOne.ledger.settle([settlementOf(next.requestId)], [])).toBe(1)
    await one.beat()
    expect(one.losses).toBe(1)
  })

  test('what a node has open can be read, in pages, with the most that it may be billed', async () => {
    await using data = await openTwo()
    const { one, two, storeOne, storeTwo } = data
    const [extended, begun, settled] = [1, 2, 3].map(() => reservationOf(data.organisationId, { reservedTokens: 40 }))
    if (extended === undefined || begun === undefined || settled === undefined) throw new Error('there are three')
    await storeOne.ledger.reserve([extended, begun, settled])
    const counts = { promptTokens: 7, cachedTokens: 0, completionTokens: 50, reasoningTokens: 0 }
    await storeOne.ledger.checkpoint([{ requestId: extended.requestId, ...counts }], 5_000)
    await storeOne.ledger.settle([settlementOf(settled.requestId)], [])
    const page = await storeTwo.nodes.openRequests(one.lease.id(), 0)
    const whose = { organisationId: data.organisationId, keyId: 'key_1', costMicros: 0 }
    expect(page).toMatchObject([
      { requestId: extended.requestId, tokens: 57, ...whose },
      { requestId: begun.requestId, tokens: 40, ...whose },
    ])
    expect(await storeTwo.nodes.openRequests(one.lease.id(), page[0]?.sequence ?? 0)).toHaveLength(1)
    expect(await storeTwo.nodes.openRequests(two.lease.id(), 0)).toEqual([])
    expect(await storeTwo.nodes.ended()).toEqual([])
    await data.age(one.lease.id(), minuteMs)
    await storeTwo.nodes.endSilent(30_000)
    expect(await storeTwo.nodes.ended()).toEqual([one.lease.id()])
  })

  test('of two nodes that settle the requests of a third, each request is settled by one', async () => {
    await using data = await openTwo()
    const store = data.storeOne
    const open = Array.from({ length: 20 }, () => reservationOf(data.organisationId))
    await store.ledger.reserve(open)
    const dead = data.one.lease.id()
    await data.age(dead, minuteMs)
    await data.storeTwo.nodes.endSilent(30_000)
    const settled = await Promise.all([
      data.storeTwo.nodes.settle(dead, 9_000, 20011115),
      data.storeOne.nodes.settle(dead, 9_000, 20011115),
    ])
    expect(settled[0] + settled[1]).toBe(20)
    expect(await store.usage.verify()).toMatchObject({ checkedRequests: 20, differences: [] })
  })

  test('a node that cannot reach the database ends its answers when its lease would have ended', async () => {
    await using data = await openTwo()
    const { one, storeOne } = data
    await one.beat()
    await storeOne.close()
    for (let beats = 0; beats < 5; beats += 1) await one.beat()
    expect(one.losses).toBe(0)
    await one.beat()
    expect(one.losses).toBe(1)
    expect(await one.logged({ event: 'node_heartbeat_failed' })).toMatchObject({ node: one.lease.id() })
    await one.beat()
    expect(one.losses).toBe(1)
  })

  test('what a single server left open is settled by the nodes that follow it, and the other way round', async () => {
    if (postgres === null) return
    await using database = await createScratchDatabase(postgres.url, postgres.template)
    const clock = createManualClock()
    const openStore = (isShared: boolean) => openPostgresStore({ url: database.url, clock, poolSize: 2, isShared })
    const single = await openStore(false)
    const organisationId = (await single.organisations.first()).id
    const [first, second] = [reservationOf(organisationId), reservationOf(organisationId)]
    await single.ledger.reserve([first])
    await single.close()
    const shared = await openStore(true)
    const node = await openScratchLease(shared.nodes, 'one')
    await beatSteadily(node)
    expect((await shared.ledger.find(first.requestId))?.settlement?.outcome).toBe('server_died')
    await shared.ledger.reserve([second])
    // Its lease is not closed: it died.
    await shared.close()
    const again = await openStore(false)
    expect(await again.ledger.recover(9_000, 20011115)).toBe(1)
    expect((await again.ledger.find(second.requestId))?.settlement?.outcome).toBe('server_died')
    await again.close()
  })

  test('a server without leases and one with them do not use a database together', async () => {
    if (postgres === null) return
    await using database = await createScratchDatabase(postgres.url, postgres.template)
    const clock = createManualClock()
    const openStore = (isShared: boolean) => openPostgresStore({ url: database.url, clock, poolSize: 2, isShared })
    const [one, two] = [await openStore(true), await openStore(true)]
    await expect(openStore(false)).rejects.toThrow('is in use by another Helix server. Without HELIX_REDIS only one')
    await one.close()
    await two.close()
    const single = await openStore(false)
    await expect(openStore(true)).rejects.toThrow('is in use by a Helix server without HELIX_REDIS')
    await single.close()
  })

  test('a node that stops with open requests leaves them to the others', async () => {
    await using data = await openTwo()
    const open = reservationOf(data.organisationId)
    await data.storeOne.ledger.reserve([open])
    await data.one.lease.close()
    expect((await data.two.lease.list()).map(({ name }) => name)).toEqual(['two'])
    await beatSteadily(data.two)
    expect(await outcomeOf(data.storeTwo, open.requestId)).toMatchObject({ outcome: 'server_died' })
  })
})
