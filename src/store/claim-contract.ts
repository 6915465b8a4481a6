import type { ReplayRecord } from './replay-contract.ts'

export type ClaimName = Pick<ReplayRecord, 'organisationId' | 'keyHash'>

/** The request that is executed for an idempotency key. */
export type Claim = Pick<ReplayRecord, 'requestId' | 'completionId' | 'bodyHash' | 'stream'>

export type FoundClaim = Claim & {
  /** False: its server died, and nothing more of the request can be billed. Another request may take the claim over. */
  isHeld: boolean
}

/**
 * Which request is executed for an idempotency key. Of any number of requests, at any number of servers, at most one has
 * the claim. It stands until it is released or its server dies.
 */
export interface Claims {
  /** Null: the request has the claim now. Otherwise the claim of another request, which stays. */
  claim(name: ClaimName, claim: Claim): Promise<FoundClaim | null>
  /** Replaces the claim of a request whose server died. False: that claim is held, or is no longer there. */
  takeOver(name: ClaimName, requestId: string, claim: Claim): Promise<boolean>
  find(name: ClaimName): Promise<FoundClaim | null>
  /** Does nothing if another request has the claim. */
  release(name: ClaimName, requestId: string): Promise<void>
  /** Of these requests, those whose claims are held. */
  held(requestIds: readonly string[]): Promise<ReadonlySet<string>>
  /** All claims of this server. */
  own(): Promise<{ name: ClaimName; requestId: string }[]>
  /** Removes claims of dead servers that nobody took over. Returns how many. */
  removeDead(): Promise<number>
}
