import type { Ledger } from '../../../usage/ledger-contract.ts'

/** A ledger of which it is known what it writes at the moment, and whether it could write the last reservation. */
export type WatchedLedger = Pick<Ledger, 'reserve'> & {
  /** No reservation is being written, and the last one could be. */
  isIdle(): boolean
}

export const watchReservations = (ledger: Pick<Ledger, 'reserve'>): WatchedLedger => {
  let isWell = true
  let writing = 0
  return {
    isIdle: () => isWell && writing === 0,
    async reserve(reservation, held) {
      writing += 1
      try {
        const entry = await ledger.reserve(reservation, held)
        isWell = true
        return entry
      } catch (error) {
        isWell = false
        throw error
      } finally {
        writing -= 1
      }
    },
  }
}
