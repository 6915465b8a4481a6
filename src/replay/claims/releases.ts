import type { Clock } from '../../base/clock.ts'
import { errorText, type Log } from '../../base/log.ts'
import type { ClaimName, Claims } from '../../store/claim-contract.ts'
import { nameOf } from '../name-of.ts'

type ReleasesOptions = { claims: Pick<Claims, 'release'>; clock: Clock; log: Log }

export type Releases = ReturnType<typeof createReleases>

const retryEveryMs = 1_000
/** Of the others the claims end with this server. */
const mostUnreleased = 10_000

/** Releases claims, and retries for as long as the store is away: nobody could use their names otherwise. */
export const createReleases = ({ claims, clock, log }: ReleasesOptions) => {
  const unreleased = new Map<string, { name: ClaimName; requestId: string }>()
  let cancelRetry: (() => void) | null = null

  const release = async (name: ClaimName, requestId: string): Promise<void> => {
    try {
      await claims.release(name, requestId)
    } catch (error) {
      log.warn('claim_not_released', { requestId, cause: errorText(error) })
      if (unreleased.size >= mostUnreleased) return
      unreleased.set(nameOf(name), { name, requestId })
      cancelRetry ??= clock.after(retryEveryMs, () => void retryAll())
    }
  }
  const retryAll = async (): Promise<void> => {
    cancelRetry = null
    const again = [...unreleased.values()]
    unreleased.clear()
    await Promise.all(again.map(({ name, requestId }) => release(name, requestId)))
  }
  return {
    /** Resolves after the first attempt, whether or not it succeeded. */
    release,
    /** Before this server claims the name again. Throws if the store is still away. */
    async retry(name: ClaimName): Promise<void> {
      const kept = unreleased.get(nameOf(name))
      if (kept === undefined) return
      await claims.release(name, kept.requestId)
      unreleased.delete(nameOf(name))
    },
    async close(): Promise<void> {
      cancelRetry?.()
      if (unreleased.size === 0) return
      await retryAll()
      // What could not be released now ends with the server.
      cancelRetry?.()
    },
  }
}
