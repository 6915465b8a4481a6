import { expect, test } from 'vitest'
import { reservationOf, settlementOf } from '../../test/harness/ledger-records.ts'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { openScratchStore, scratchDirectory } from '../../test/harness/scratch-store.ts'
import type { LedgerRecords } from '../store/ledger-contract.ts'
import type { Ending } from './ledger-contract.ts'
import { openLedger } from './open-ledger.ts'

const completed: Ending = {
  ...{ outcome: 'completed', finishReason: 'stop', error: null },
  ...{ queueMs: 1, firstTokenMs: 2, durationMs: 3 },
}
const counts = { promptTokens: 10, cachedTokens: 0, completionTokens: 60, reasoningTokens: 0 }

/** A ledger whose node others take for dead, on a store whose writes fail while `isFull`. */
const openNode = async () => {
  const folder = scratchDirectory()
  const clock = createManualClock()
  const store = await openScratchStore(folder.path, clock)
  const { id } = await store.organisations.first()
  const log = createLogCatcher({ clock, format: 'json' })
  const disk = { isFull: false }
  const records: LedgerRecords = {
    ...store.ledger,
    async settle(settlements, replays) {
      if (disk.isFull) throw new Error('the disk is full')
      return store.ledger.settle(settlements, replays)
    },
  }
  const corrected: string[] = []
  const onCorrected = ({ organisationId }: { organisationId: string }) => void corrected.push(organisationId)
  const ledger = await openLedger({ records, clock, log: log.log, timeZone: 'UTC', onCorrected })
  const begin = async () => {
    const reservation = reservationOf(id)
    const entry = await ledger.reserve(reservation)
    entry.count(counts)
    /** As another node does once the lease has ended. */
    const guess = () =>
      store.ledger.settle([settlementOf(reservation.requestId, { outcome: 'server_died', completionTokens: 10 })], [])
    const settled = async () => (await store.ledger.find(reservation.requestId))?.settlement
    return { entry, guess, settled }
  }
  return {
    ...{ begin, clock, corrected, disk, ledger, organisationId: id, ...log },
    async [Symbol.asyncDispose]() {
      await ledger.close()
      await store[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

test('an answer that another node has settled for a part is lost: it must not be completed', async () => {
  await using node = await openNode()
  const [lost, other] = [await node.begin(), await node.begin()]
  await lost.guess()
  // In one batch with another.
  const [lostSettling, otherSettling] = [lost.entry.settle(completed), other.entry.settle(completed)]
  expect(await Promise.all([lostSettling.attempted, lostSettling.durable])).toEqual(['lost', 'lost'])
  expect(await otherSettling.attempted).toBe('recorded')
  expect(await lost.settled()).toMatchObject({ outcome: 'server_died', completionTokens: 10 })
  expect(await other.settled()).toMatchObject({ outcome: 'completed', completionTokens: 60 })
  expect(node.corrected).toEqual([node.organisationId])
})

test('an answer that was completed while its settlement could not be written is billed in full', async () => {
  await using node = await openNode()
  const delivered = await node.begin()
  node.disk.isFull = true
  const settling = delivered.entry.settle(completed)
  expect(await settling.attempted).toBe('recorded')
  await delivered.guess()
  node.disk.isFull = false
  node.clock.advance(1_000)
  expect(await settling.durable).toBe('recorded')
  expect(await delivered.settled()).toMatchObject({ outcome: 'completed', completionTokens: 60 })
  expect(node.corrected).toEqual([node.organisationId])
  expect(await node.logged({ event: 'ledger_guess_replaced' })).toMatchObject({ completionTokens: 60 })
})
