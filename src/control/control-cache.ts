import { nullable, object } from '../http/schema/containers.ts'
import { string } from '../http/schema/scalars.ts'
import type { Client } from '../operations/client.ts'
import type { CacheRecords } from '../store/cache-contract.ts'
import { count, post, socket } from './operation.ts'

export const cacheOperations = {
  clearCache: post('/cache/clear', socket, 'Removes cached answers, of one organisation or of all.', {
    body: object({ organisation_id: nullable(string()) }),
    answer: object({ removed: count }),
  }),
}

/** Others store answers meanwhile. */
const maxRemovals = 100_000

/** Answers that are being generated at this moment may still be stored. */
export const createCacheControl = (
  cache: Pick<CacheRecords, 'bytes' | 'removeOldest'>,
): Client<typeof cacheOperations> => ({
  async clearCache({ body: { organisation_id: only } }) {
    let removed = 0
    for (const organisationId of (await cache.bytes()).keys()) {
      if (only !== null && only !== organisationId) continue
      for (let removals = 0; removals < maxRemovals; removals += 1) {
        const count = await cache.removeOldest(organisationId)
        if (count === 0) break
        removed += count
      }
    }
    return { removed }
  },
})
