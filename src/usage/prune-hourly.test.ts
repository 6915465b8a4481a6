import { expect, test } from 'vitest'
import { refusalOf, reservationOf, settlementOf } from '../../test/harness/ledger-records.ts'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import type { Store } from '../store/contract.ts'
import { pruneHourly } from './prune-hourly.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const counts = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 }
const everyDay = { organisationId: null, fromDay: 0, toDay: 99991231 }

const recordsOf = ({ ledger, requestLog, bodies, playground, conversations }: Store) => ({
  records: ledger,
  requestLog,
  bodies,
  playground,
  conversations,
})

/** Requests that ended at these times, each with a checkpoint. */
const settleAt = async (store: Store, times: readonly number[]): Promise<void> => {
  const { id } = await store.organisations.first()
  const reservations = times.map((createdAt) => reservationOf(id, { createdAt }))
  await store.ledger.reserve(reservations)
  for (const { requestId, createdAt } of reservations)
    await store.ledger.checkpoint([{ requestId, ...counts }], createdAt)
  await store.ledger.settle(
    reservations.map(({ requestId, createdAt }) => settlementOf(requestId, { endedAt: createdAt })),
    [],
  )
}

test('expired data is deleted at startup and then hourly; totals are kept', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(scratch.path, clock)
  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  const now = clock.now()
  await settleAt(store, [now - 40 * dayMs, now - 32 * dayMs, now - dayMs])
  const { id } = await store.organisations.first()
  await store.requestLog.refuse([40, 1].map((days) => refusalOf(id, { createdAt: now - days * dayMs })))
  const running = reservationOf(id, { createdAt: now - 3 * dayMs })
  await store.ledger.reserve([running])
  await store.ledger.checkpoint([{ requestId: running.requestId, ...counts }], now - 3 * dayMs)
  const before = await store.usage.rows(everyDay)
  const pruning = pruneHourly({ ...recordsOf(store), clock, log, settings: { ledgerRetentionDays: 32 } })
  await clock.awaited(hourMs)
  expect(await store.ledger.list({ organisationId: id, before: null, limit: 9 })).toHaveLength(3)
  clock.advance(hourMs)
  await clock.awaited(hourMs)
  expect(await store.ledger.list({ organisationId: id, before: null, limit: 9 })).toHaveLength(2)
  expect(await store.usage.rows(everyDay)).toEqual(before)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'ledger_pruned', notes: 2, requests: 1, refusals: 1 },
    { event: 'ledger_pruned', notes: 1, requests: 1, refusals: 0 },
  ])
  await pruning.close()
  expect(clock.pending()).toBe(0)
  expect(await store.ledger.recover(now, 20261115)).toBe(1)
  expect(await store.ledger.find(running.requestId)).toMatchObject({ settlement: counts })
})

test('many rows are deleted in batches, until none is left', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(scratch.path, clock)
  const { log } = createLogCatcher({ clock, format: 'json' })
  await settleAt(
    store,
    Array.from({ length: 450 }, () => clock.now() - 40 * dayMs),
  )
  const pruning = pruneHourly({ ...recordsOf(store), clock, log, settings: { ledgerRetentionDays: 32 } })
  await clock.awaited(hourMs)
  expect(await store.ledger.since(0)).toEqual([])
  await pruning.close()
})

test('a failed pass is logged and retried an hour later', async () => {
  const clock = createManualClock()
  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  let asked = 0
  const fail = async (): Promise<number> => {
    asked += 1
    throw new Error('disk on fire')
  }
  const records = {
    prune: fail,
    pruneCheckpoints: fail,
    removeExpired: fail,
    prunePrompts: fail,
    pruneConversations: fail,
  }
  const all = { records, requestLog: records, bodies: records, playground: records, conversations: records }
  const pruning = pruneHourly({ ...all, clock, log, settings: { ledgerRetentionDays: 32 } })
  await clock.awaited(hourMs)
  clock.advance(hourMs)
  await clock.awaited(hourMs)
  expect(asked).toBe(2)
  expect(lines.join()).toContain('disk on fire')
  await pruning.close()
})
