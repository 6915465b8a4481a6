import { breakStore } from './break-store.ts'

/**
 * Settles every request twice. The store refuses a second settlement of the same request, so the second has its own id,
 * as a bug above the store would produce.
 */
const reserved = new Map<string, LedgerRow>()
const again = ([requestId, ...columns]: LedgerRow): LedgerRow => [`${requestId}again`, ...columns]

breakStore((really) => async (name, ...args) => {
  if (name === 'reserveRequests') for (const row of asRows(args[0])) reserved.set(row[0], row)
  const result = await really(name, ...args)
  if (name !== 'settleRequests') return result
  const settlements = asRows(args[0])
  const reservations = settlements.flatMap(([requestId]) => {
    const row = reserved.get(requestId)
    return row === undefined ? [] : [again(row)]
  })
  await really('reserveRequests', reservations)
  await really('settleRequests', settlements.map(again), [])
  return result
})

/** A row begins with the request's id. */
type LedgerRow = readonly [requestId: string, ...columns: unknown[]]

/** Sound because both calls have such rows as their first argument. */
const asRows = (value: unknown): readonly LedgerRow[] => value as readonly LedgerRow[]
