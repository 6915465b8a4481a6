import type { Clock } from '../../base/clock.ts'
import { errorText, type Log } from '../../base/log.ts'
import type { Claim, ClaimName, Claims } from '../../store/claim-contract.ts'

type OwnClaimsOptions = {
  claims: Claims
  /** The complete response of a claim whose node died, if it left one; otherwise null. */
  findWhole(claim: Claim): Promise<string | null>
  /** Whether the claims are in a store that other servers use too, and that may be away. */
  isShared: boolean
  clock: Clock
  log: Log
}

export type Claimed =
  /** The request has the claim. */
  | { type: 'own' }
  /** Another has it. */
  | { type: 'held'; claim: Claim }
  /** The node of another died when its response was complete. */
  | { type: 'whole'; claim: Claim; content: string }
  /** Another had it, and has it no longer. */
  | { type: 'changed' }

export type OwnClaims = ReturnType<typeof createOwnClaims>

const retryMs = 1_000
/** A statement that was cut off may reach the store late. */
const checkEveryMs = 10_000

/**
 * The claims of this server. If the store is away when a request is claimed or released, it is unknown what the store has: once
 * it is back, claims of requests that are not running are released. Otherwise nobody could use their keys.
 */
export const createOwnClaims = ({ claims, findWhole, isShared, clock, log }: OwnClaimsOptions) => {
  /** Added before the claim is made, so that none of them is mistaken for a leftover one. */
  const active = new Set<string>()
  let cancelCheck = (): void => {}
  let isClosed = false

  const releaseEnded = async (): Promise<void> => {
    for (const { name, requestId } of await claims.own())
      if (!active.has(requestId)) await claims.release(name, requestId)
  }
  const checkAfter = (delayMs: number): void => {
    cancelCheck()
    if (isClosed || !isShared) return
    cancelCheck = clock.after(delayMs, () => {
      releaseEnded().then(
        () => checkAfter(checkEveryMs),
        () => checkAfter(retryMs),
      )
    })
  }
  checkAfter(checkEveryMs)
  const claimOrFind = async (name: ClaimName, claim: Claim): Promise<Claimed> => {
    const other = await claims.claim(name, claim)
    if (other === null) return { type: 'own' }
    if (other.isHeld) return { type: 'held', claim: other }
    const content = await findWhole(other)
    if (content !== null) return { type: 'whole', claim: other, content }
    return { type: (await claims.takeOver(name, other.requestId, claim)) ? 'own' : 'changed' }
  }
  return {
    async claim(name: ClaimName, claim: Claim): Promise<Claimed> {
      active.add(claim.requestId)
      try {
        const claimed = await claimOrFind(name, claim)
        if (claimed.type !== 'own') active.delete(claim.requestId)
        return claimed
      } catch (error) {
        active.delete(claim.requestId)
        checkAfter(retryMs)
        throw error
      }
    },
    /** Resolves after the first attempt, whether or not it succeeded. */
    async release(name: ClaimName, requestId: string): Promise<void> {
      active.delete(requestId)
      try {
        await claims.release(name, requestId)
      } catch (error) {
        log.warn('claim_not_released', { requestId, cause: errorText(error) })
        checkAfter(retryMs)
      }
    },
    /** What could not be released ends with the server. */
    close(): void {
      isClosed = true
      cancelCheck()
    },
  }
}
