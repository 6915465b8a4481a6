import type { Limiter, TokenReservation } from '../../limits/limiter-contract.ts'
import type { Replays } from '../../replay/replays.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ledger, SettlementFate } from '../../usage/ledger-contract.ts'
import type { RefusalLog } from '../../usage/refusal-log.ts'

/**
 * What an engine node has in place of limits, ledger, stored bodies and replays: the server that sends it a request has
 * admitted it, bills it and stores it.
 */
export const unbilled = {
  limiter: {
    precheck: async () => ({
      admit: async ({ promptTokens, completionTokens }) => createReservation(promptTokens + completionTokens),
      admitWithoutTokens() {},
      headers: () => ({}),
      release() {},
      refuse() {},
    }),
  },
  ledger: { reserve: async () => ({ count() {}, settle: () => ({ durable: done, attempted: done }) }) },
  refusals: { add() {} },
  bodies: { isKept: () => false, add() {} },
  replays: {
    isKnown: async () => false,
    // Requests of nodes have no Idempotency-Key.
    open: () => Promise.reject(new Error('an engine node replays nothing')),
  },
} as const satisfies {
  limiter: Pick<Limiter, 'precheck'>
  ledger: Pick<Ledger, 'reserve'>
  refusals: Pick<RefusalLog, 'add'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  replays: Pick<Replays, 'isKnown' | 'open'>
}

const done = Promise.resolve<SettlementFate>('recorded')

const createReservation = (tokens: number): TokenReservation => {
  let reservedTokens = tokens
  return {
    get reservedTokens() {
      return reservedTokens
    },
    price: null,
    reservedMicros: null,
    applied: { requests: null, tokens: null },
    async extend(more) {
      reservedTokens += more
      return more
    },
    headers: () => ({}),
    settle() {},
    cancel() {},
  }
}
