import type { Ledger } from '../../../usage/ledger-contract.ts'

/** A ledger of which it is known whether it could write the last reservation. */
export type WatchedLedger = Pick<Ledger, 'reserve'> & { isWell(): boolean }

export const watchReservations = (ledger: Pick<Ledger, 'reserve'>): WatchedLedger => {
  let isWell = true
  return {
    isWell: () => isWell,
    async reserve(reservation, held) {
      try {
        const entry = await ledger.reserve(reservation, held)
        isWell = true
        return entry
      } catch (error) {
        isWell = false
        throw error
      }
    },
  }
}
