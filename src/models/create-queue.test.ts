import { expect, test } from 'vitest'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import { createQueue, type QueueSettings } from './create-queue.ts'

const never = new AbortController().signal
const settings: QueueSettings = {
  queueLimit: null,
  organisationQueueLimit: null,
  queueTimeoutMs: 60_000,
  organisationWeights: [],
  reservedSlots: 1,
}
/** How many of so many requests that arrive at once are refused. */
const refusedOf = async (requests: number, queue: ReturnType<typeof createQueue>): Promise<number> => {
  let refused = 0
  const entered = Array.from({ length: requests }, async () => {
    const size = { promptTokens: 10, completionTokens: 10, choices: 1 }
    await queue.enter({ organisationId: 'org', ownerId: 'org', size }, never).then(
      (slot) => slot.release(),
      () => (refused += 1),
    )
  })
  await Promise.all(entered)
  return refused
}

test('a gateway keeps what arrives during a pause of the machine, and refuses what would never end', async () => {
  const queue = () => createQueue(64, settings, createManualClock(), { keepsShares: true })
  expect(await refusedOf(800, queue())).toBe(0)
  expect(await refusedOf(1500, queue())).toBeGreaterThan(300)
})

test('a model of this machine keeps fewer, and a setting counts for both', async () => {
  expect(await refusedOf(800, createQueue(4, settings, createManualClock()))).toBeGreaterThan(700)
  const set = { ...settings, queueLimit: 2 }
  expect(await refusedOf(10, createQueue(4, set, createManualClock(), { keepsShares: true }))).toBe(5)
  expect(createQueue(4, set, createManualClock()).limit).toBe(2)
})
