import { ApiError } from '../../base/api-error.ts'

/** Lines that stay open cost memory and looks into the ledger: an organisation may have so many of them at once. */
export const mostLines = 20

/** How soon somebody may have closed a page. */
const againMs = 5000

export interface LineLimit {
  /** Throws where there are too many; returns how to give the line back. */
  enter(organisationId: string): () => void
}

export const createLineLimit = (): LineLimit => {
  const open = new Map<string, number>()
  const count = (organisationId: string, change: number): void => {
    const lines = (open.get(organisationId) ?? 0) + change
    if (lines === 0) open.delete(organisationId)
    else open.set(organisationId, lines)
  }
  return {
    enter(organisationId) {
      if ((open.get(organisationId) ?? 0) >= mostLines)
        throw ApiError.of('too_many_lines', { limit: mostLines }, { retryAfterMs: againMs })
      count(organisationId, 1)
      return () => count(organisationId, -1)
    },
  }
}
