import { ApiError } from '../base/api-error.ts'
import { type ByteLease, createByteBudget } from '../base/byte-budget.ts'
import type { StoredResponses } from './stored-responses.ts'

/** What is to be kept: `maxBytes` at most. */
type Sized = { organisationId: string; maxBytes: number }

type SpaceOptions = {
  replayMemoryLimitBytes: number
  replayAnswerLimitBytes: number
  stored: Pick<StoredResponses, 'maxBytes' | 'lease'>
}

const memoryRetryMs = 1_000
const diskRetryMs = 60_000

/** The memory and the disk that responses for retries take. Throws `replay_buffer_full` if there is not enough. */
export const createReplaySpace = ({ replayMemoryLimitBytes, replayAnswerLimitBytes, stored }: SpaceOptions) => {
  const memory = createByteBudget(replayMemoryLimitBytes)
  const leaseMemory = (organisationId: string, bytes: number): ByteLease => {
    const lease = memory.lease(organisationId, bytes)
    if (lease === null) throw ApiError.of('replay_buffer_full', {}, { retryAfterMs: memoryRetryMs })
    return lease
  }
  return {
    leaseMemory,
    /** What a response may take that another node stores. */
    leaseFollowed: ({ organisationId, maxBytes }: Sized): ByteLease =>
      leaseMemory(organisationId, Math.min(maxBytes, replayAnswerLimitBytes, memory.maxBytes)),
    /** All that the response may take, so that none is generated and billed for which there is no space in the end. */
    async leaseBoth({ organisationId, maxBytes }: Sized) {
      const keptBytes = Math.min(replayAnswerLimitBytes, memory.maxBytes, stored.maxBytes)
      const bytes = Math.min(maxBytes, keptBytes)
      const leased = leaseMemory(organisationId, bytes)
      const disk = await stored.lease(organisationId, bytes)
      if (disk !== null) return { memory: leased, disk, keptBytes }
      leased.close()
      throw ApiError.of('replay_buffer_full', {}, { retryAfterMs: diskRetryMs })
    },
  }
}

export type ReplaySpace = ReturnType<typeof createReplaySpace>
