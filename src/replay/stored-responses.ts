import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { ReplayRecord, ReplayRecords } from '../store/ledger-contract.ts'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'

/** The responses on disk: they can be found until they expire, and never fill more of the disk than they may. */
export interface StoredResponses extends Pick<ByteBudget, 'maxBytes'> {
  has(organisationId: string, keyHash: Uint8Array): Promise<boolean>
  find(organisationId: string, keyHash: Uint8Array): Promise<ReplayRecord | null>
  /** Space for one more; null if there is none even after expired responses have been deleted. */
  lease(...wanted: Parameters<ByteBudget['lease']>): Promise<ReturnType<ByteBudget['lease']>>
  close(): Promise<void>
}

type StoredResponsesOptions = { records: ReplayRecords; limitBytes: number; clock: Clock; log: Log }

const sweepEveryMs = 3_600_000
/** Finding what has expired reads everything that is stored, so not every refused request does it. */
const sweepAgainAfterMs = 60_000

export const openStoredResponses = async (options: StoredResponsesOptions): Promise<StoredResponses> => {
  const { records, limitBytes, clock, log } = options
  const budget = createByteBudget(limitBytes)
  let sweptMs = 0
  let sweeping = Promise.resolve()
  let cancelNext = (): void => {}

  const removeExpired = async (): Promise<void> => {
    const now = clock.now()
    try {
      while ((await records.removeExpired(now)) > 0);
    } finally {
      budget.setStored(await records.bytes())
    }
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
  return {
    maxBytes: budget.maxBytes,
    has: (organisationId, keyHash) => records.has(organisationId, keyHash, clock.now()),
    find: (organisationId, keyHash) => records.find(organisationId, keyHash, clock.now()),
    async lease(...wanted) {
      const lease = budget.lease(...wanted)
      if (lease !== null) return lease
      const isFresh = clock.monotonicMs() - sweptMs < sweepAgainAfterMs
      await (isFresh ? sweeping : sweep())
      return budget.lease(...wanted)
    },
    async close() {
      cancelNext()
      await sweeping
    },
  }
}
