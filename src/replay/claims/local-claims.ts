import type { Claim, ClaimName, Claims, FoundClaim } from '../../store/claim-contract.ts'
import { nameOf } from '../name-of.ts'

/** The claims of one server that has its store to itself: they end with the process. */
export const createLocalClaims = (): Claims => {
  const claims = new Map<string, Claim>()
  const find = (name: ClaimName): FoundClaim | null => {
    const claim = claims.get(nameOf(name))
    return claim === undefined ? null : { ...claim, isHeld: true }
  }
  return {
    async claim(name, claim) {
      const found = find(name)
      if (found === null) claims.set(nameOf(name), claim)
      return found
    },
    takeOver: async () => false,
    find: async (name) => find(name),
    async release(name, requestId) {
      if (claims.get(nameOf(name))?.requestId === requestId) claims.delete(nameOf(name))
    },
    async held(requestIds) {
      const held = new Set([...claims.values()].map((claim) => claim.requestId))
      return new Set(requestIds.filter((requestId) => held.has(requestId)))
    },
    removeDead: async () => 0,
  }
}
