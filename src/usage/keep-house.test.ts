import { expect, test } from 'vitest'
import { replayOf, reservationOf, settlementOf } from '../../test/harness/ledger-records.ts'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import type { Store } from '../store/contract.ts'
import { keepHouse } from './keep-house.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const counts = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 }

/** Requests that ended at these times, each with a note and a kept answer. */
const settleAt = async (store: Store, times: readonly number[]): Promise<void> => {
  const { id } = await store.organisations.first()
  const reservations = times.map((createdAt) => reservationOf(id, { createdAt }))
  await store.ledger.reserve(reservations)
  for (const { requestId, createdAt } of reservations) await store.ledger.note([{ requestId, ...counts }], createdAt)
  const replays = reservations.map((reservation, n) => {
    const times = { createdAt: reservation.createdAt, expiresAt: reservation.createdAt + dayMs }
    return replayOf(reservation, { keyHash: new Uint8Array(32).fill(n), ...times })
  })
  const settlements = reservations.map(({ requestId, createdAt }) => settlementOf(requestId, { endedAt: createdAt }))
  await store.ledger.settle(settlements, replays)
}

test('what had its time goes at the start and every hour after it', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(scratch.path, clock)
  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  const now = clock.now()
  await settleAt(store, [now - 40 * dayMs, now - 2 * dayMs, now - dayMs + hourMs])
  const before = await store.usage.rows({ organisationId: null, fromDay: 0, toDay: 99991231 })
  const house = keepHouse({ store, clock, log, ledgerRetentionDays: 32 })
  await clock.awaited(hourMs)
  expect(await store.ledger.since(0)).toHaveLength(2)
  const oneAnswer = await store.replays.bytes()
  clock.advance(hourMs)
  await clock.awaited(hourMs)
  expect(oneAnswer).toBeGreaterThan(0)
  expect(await store.replays.bytes()).toBe(0)
  expect(await store.usage.rows({ organisationId: null, fromDay: 0, toDay: 99991231 })).toEqual(before)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'house_kept', replays: 2, notes: 2, requests: 1 },
    { event: 'house_kept', replays: 1, notes: 0, requests: 0 },
  ])
  await house.close()
  expect(clock.pending()).toBe(0)
})

test('a great many are removed a few at a time, until none is left', async () => {
  using scratch = scratchDirectory()
  const clock = createManualClock()
  await using store = await openScratchStore(scratch.path, clock)
  const { log } = createLogCatcher({ clock, format: 'json' })
  await settleAt(
    store,
    Array.from({ length: 250 }, () => clock.now() - 40 * dayMs),
  )
  const house = keepHouse({ store, clock, log, ledgerRetentionDays: 32 })
  await clock.awaited(hourMs)
  expect([await store.ledger.since(0), await store.replays.bytes()]).toEqual([[], 0])
  await house.close()
})

test('a pass that fails is told and tried again an hour later', async () => {
  const clock = createManualClock()
  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  let asked = 0
  const failing = async (): Promise<number> => {
    asked += 1
    throw new Error('disk on fire')
  }
  const nothing = { removeExpired: failing, pruneNotes: failing, prune: failing }
  const store = { replays: nothing, ledger: nothing } as unknown as Store
  const house = keepHouse({ store, clock, log, ledgerRetentionDays: 32 })
  await clock.awaited(hourMs)
  clock.advance(hourMs)
  await clock.awaited(hourMs)
  expect(asked).toBe(2)
  expect(lines.join()).toContain('disk on fire')
  await house.close()
})
