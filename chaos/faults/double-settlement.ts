import type { ReservationRecord, Settlement } from '../../src/store/ledger-contract.ts'
import { breakStore } from './break-store.ts'

/**
 * Settles every request twice. The store refuses a second settlement of the same request, so the second has its own id,
 * as a bug above the store would produce.
 */
const reserved = new Map<string, ReservationRecord>()
const again = (requestId: string): string => `${requestId}again`

breakStore((really) => async (name, ...args) => {
  if (name === 'reserveRequests') for (const one of asReservations(args[0])) reserved.set(one.requestId, one)
  const result = await really(name, ...args)
  if (name !== 'settleRequests') return result
  const settlements = asSettlements(args[0])
  const reservations = settlements.flatMap(({ requestId }) => reserved.get(requestId) ?? [])
  await really(
    'reserveRequests',
    reservations.map((one) => ({ ...one, requestId: again(one.requestId) })),
  )
  await really(
    'settleRequests',
    settlements.map((one) => ({ ...one, requestId: again(one.requestId) })),
    [],
  )
  return result
})

/** Sound because the store's contract defines the arguments of these calls. */
const asReservations = (value: unknown): readonly ReservationRecord[] => value as readonly ReservationRecord[]
const asSettlements = (value: unknown): readonly Settlement[] => value as readonly Settlement[]
