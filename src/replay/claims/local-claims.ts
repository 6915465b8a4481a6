import type { Claim, ClaimName, Claims, FoundClaim } from '../../store/claim-contract.ts'
import { claimText } from '../claim-text.ts'

/** The claims of one server that has its store to itself: they end with the process. */
export const createLocalClaims = (): Claims => {
  const claims = new Map<string, { name: ClaimName; claim: Claim }>()
  const find = (name: ClaimName): FoundClaim | null => {
    const found = claims.get(claimText(name))
    return found === undefined ? null : { ...found.claim, isHeld: true }
  }
  return {
    async claim(name, claim) {
      const found = find(name)
      if (found === null) claims.set(claimText(name), { name, claim })
      return found
    },
    takeOver: async () => false,
    find: async (name) => find(name),
    async release(name, requestId) {
      if (claims.get(claimText(name))?.claim.requestId === requestId) claims.delete(claimText(name))
    },
    async held(requestIds) {
      const held = new Set([...claims.values()].map(({ claim }) => claim.requestId))
      return new Set(requestIds.filter((requestId) => held.has(requestId)))
    },
    own: async () => [...claims.values()].map(({ name, claim: { requestId } }) => ({ name, requestId })),
    removeDead: async () => 0,
  }
}
