import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reservationOf } from '../../test/harness/ledger-records.ts'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import type { ReservationRecord } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import { ReservationWriter } from './reservation-writer.ts'
import { openSpoolFile } from './spool/spool-file.ts'

const openTried = async () => {
  const path = join(await tempDir(), 'spool.jsonl')
  const { file } = await openSpoolFile(path)
  const clock = createManualClock()
  const { log } = createLogCatcher({ clock, format: 'json' })
  const store = { isAway: false, reserved: [] as string[] }
  const reserve = async (reservations: readonly ReservationRecord[]): Promise<void> => {
    if (store.isAway) throw new StoreUnavailable('away')
    store.reserved.push(...reservations.map(({ requestId }) => requestId))
  }
  const written = Promise.withResolvers<void>()
  const writer = new ReservationWriter({
    ...{ records: { reserve, find: async () => null }, clock, log, spool: file, maxOutageMs: 60_000 },
    ...{ onReserved: async () => {}, onWritten: written.resolve },
  })
  const spooled = async (): Promise<string[]> =>
    (await readFile(path, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).reservation.requestId)
  return { writer, clock, store, file, spooled, written: written.promise }
}

test('while the database is away reservations are kept on disk, but not those for an idempotency key', async () => {
  const { writer, clock, store, file, spooled, written } = await openTried()
  const [plain, other] = [reservationOf('org_1'), reservationOf('org_1')]
  const [claimed, later] = [reservationOf('org_1', { isClaimed: true }), reservationOf('org_1', { isClaimed: true })]
  store.isAway = true
  const outcomes = await Promise.allSettled([plain, claimed].map((one) => writer.reserve(one)))
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'rejected', reason: expect.any(StoreUnavailable) },
  ])
  await expect(writer.reserve(later)).rejects.toThrow(StoreUnavailable)
  await writer.reserve(other)
  expect(await spooled()).toEqual([plain.requestId, other.requestId])
  store.isAway = false
  clock.advance(1_000)
  await written
  expect(store.reserved).toEqual([plain.requestId, other.requestId])
  await writer.reserve(claimed)
  expect(store.reserved).toHaveLength(3)
  await file.close()
})

test('if the disk fails as well, the database may have the reservation, which the caller is told', async () => {
  const { writer, store, file } = await openTried()
  await file.close()
  store.isAway = true
  const mixed = [reservationOf('org_1'), reservationOf('org_1', { isClaimed: true })]
  const outcomes = await Promise.allSettled(mixed.map((one) => writer.reserve(one)))
  expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: expect.any(StoreUnavailable) })))
  expect(writer.pendingCount).toBe(0)
})
