import { type ByteLease, createByteBudget } from '../base/byte-budget.ts'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { Claims } from '../store/claim-contract.ts'
import type { ReplayRecords } from '../store/replay-contract.ts'

type StoredResponsesOptions = {
  records: ReplayRecords
  /** Absent if no other server stores responses in the same place. */
  claims?: Pick<Claims, 'removeDead'> | undefined
  limitBytes: number
  clock: Clock
  log: Log
}

const sweepEveryMs = 3_600_000
/** Finding what has expired reads everything that is stored, so not every refused request does it. */
const sweepAgainAfterMs = 60_000
/** What other servers have stored is counted this often. */
const countEveryMs = 60_000

export type StoredResponses = Awaited<ReturnType<typeof openStoredResponses>>

/** The responses on disk: they can be found until they expire, and never fill more of the disk than they may. */
export const openStoredResponses = async ({ records, claims, limitBytes, clock, log }: StoredResponsesOptions) => {
  const budget = createByteBudget(limitBytes)
  let sweptMs = 0
  let sweeping = Promise.resolve()
  let cancelNext = (): void => {}
  let cancelCount = (): void => {}

  const removeExpired = async (): Promise<void> => {
    const now = clock.now()
    try {
      while ((await records.removeExpired(now)) > 0);
      await claims?.removeDead()
    } finally {
      budget.setStored(await records.bytes())
    }
  }
  const countLater = (): void => {
    cancelCount = clock.after(countEveryMs, () => {
      sweeping = sweeping
        .then(async () => budget.setStored(await records.bytes()))
        .catch((error: unknown) => log.warn('replays_not_counted', { cause: errorText(error) }))
      countLater()
    })
  }
  const sweep = (): Promise<void> => {
    cancelNext()
    cancelNext = clock.after(sweepEveryMs, () => void sweep())
    sweptMs = clock.monotonicMs()
    sweeping = sweeping
      .then(removeExpired)
      // A full disk cannot delete either. Expired responses are not replayed in any case.
      .catch((error: unknown) => log.warn('replays_not_swept', { cause: errorText(error) }))
    return sweeping
  }
  await sweep()
  if (claims !== undefined) countLater()
  return {
    maxBytes: budget.maxBytes,
    has: (organisationId: string, keyHash: Uint8Array) => records.has(organisationId, keyHash, clock.now()),
    find: (organisationId: string, keyHash: Uint8Array) => records.find(organisationId, keyHash, clock.now()),
    /** Space for one more; null if there is none even after expired responses have been deleted. */
    async lease(organisationId: string, minBytes: number): Promise<ByteLease | null> {
      const lease = budget.lease(organisationId, minBytes)
      if (lease !== null) return lease
      const isFresh = clock.monotonicMs() - sweptMs < sweepAgainAfterMs
      await (isFresh ? sweeping : sweep())
      return budget.lease(organisationId, minBytes)
    },
    async close(): Promise<void> {
      cancelNext()
      cancelCount()
      await sweeping
    },
  }
}
