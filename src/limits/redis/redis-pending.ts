import type { Caller, PendingRequest, TokenRequest, TokenReservation } from '../limiter-contract.ts'
import { refusedCount } from '../too-many-refused.ts'
import type { NodeRequests } from './node-requests.ts'

type PendingOptions = {
  id: string
  requests: NodeRequests
  admit(request: Omit<TokenRequest, keyof Caller>): Promise<TokenReservation>
  headers(): Record<string, string>
  countRefused(count: number): void
}

/** One request, from its precheck to its admission, as Redis counts it. */
export const createRedisPending = ({ id, requests, admit, headers, countRefused }: PendingOptions): PendingRequest => {
  /** Admitted with tokens: it ends with its settlement. */
  let isReserved = false
  /** Admitted or refused: a later failure is not a refusal. */
  let isDecided = false
  const release = (): void => {
    if (!isReserved) requests.release(id)
  }
  return {
    async admit(request) {
      const reservation = await admit(request)
      isReserved = true
      isDecided = true
      return reservation
    },
    admitWithoutTokens() {
      isDecided = true
      requests.start(id)
    },
    headers,
    release,
    refuse(cpuMs = 0) {
      release()
      if (isDecided) return
      isDecided = true
      countRefused(refusedCount(cpuMs))
    },
  }
}
