import { ApiError } from '../../base/api-error.ts'

/** Open streams cost memory and reads of the ledger, so an organisation may have only so many at once. */
export const maxStreams = 20

/** By then, a page may have been closed. */
const retryAfterMs = 5000

export interface StreamLimit {
  /** Throws if there are too many; returns a function to call when the stream ends. */
  enter(organisationId: string): () => void
}

export const createStreamLimit = (): StreamLimit => {
  const open = new Map<string, number>()
  const count = (organisationId: string, change: number): void => {
    const streams = (open.get(organisationId) ?? 0) + change
    if (streams === 0) open.delete(organisationId)
    else open.set(organisationId, streams)
  }
  return {
    enter(organisationId) {
      if ((open.get(organisationId) ?? 0) >= maxStreams)
        throw ApiError.of('too_many_streams', { limit: maxStreams }, { retryAfterMs })
      count(organisationId, 1)
      return () => count(organisationId, -1)
    },
  }
}
