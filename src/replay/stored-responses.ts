import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { ReplayRecord, ReplayRecords } from '../store/ledger-contract.ts'
import type { ByteBudget, ByteLease } from './byte-budget.ts'

/** The answers on disk: found again until they expire, and never so many that the disk fills up. */
export interface StoredResponses {
  has(organisationId: string, keyHash: Uint8Array): Promise<boolean>
  find(organisationId: string, keyHash: Uint8Array): Promise<ReplayRecord | null>
  /** Room for one more; null when there is none, even without those that have expired. */
  lease(organisationId: string, leastBytes: number): Promise<ByteLease | null>
  close(): Promise<void>
}

type StoredResponsesOptions = { records: ReplayRecords; room: ByteBudget; clock: Clock; log: Log }

const sweepEveryMs = 3_600_000
/** Looking for what has expired costs a pass over all that is kept: not for every request that is refused. */
const sweepAgainAfterMs = 60_000

export const openStoredResponses = async (options: StoredResponsesOptions): Promise<StoredResponses> => {
  const { records, room, clock, log } = options
  let sweptMs = 0
  let sweeping = Promise.resolve()
  let cancelNext = (): void => {}

  const removeExpired = async (): Promise<void> => {
    const now = clock.now()
    try {
      while ((await records.removeExpired(now)) > 0);
    } finally {
      room.setBase(await records.bytes())
    }
  }
  const sweep = (): Promise<void> => {
    cancelNext()
    cancelNext = clock.after(sweepEveryMs, () => void sweep())
    sweptMs = clock.monotonicMs()
    sweeping = sweeping
      .then(removeExpired)
      // A full disk takes no deletions either. What has expired is not told again in any case.
      .catch((error: unknown) => log.warn('replays_not_swept', { cause: errorText(error) }))
    return sweeping
  }
  await sweep()
  return {
    has: (organisationId, keyHash) => records.has(organisationId, keyHash, clock.now()),
    find: (organisationId, keyHash) => records.find(organisationId, keyHash, clock.now()),
    async lease(organisationId, leastBytes) {
      const lease = room.lease(organisationId, leastBytes)
      if (lease !== null) return lease
      const isFresh = clock.monotonicMs() - sweptMs < sweepAgainAfterMs
      await (isFresh ? sweeping : sweep())
      return room.lease(organisationId, leastBytes)
    },
    async close() {
      cancelNext()
      await sweeping
    },
  }
}
