import type { LedgerRecords } from '../../store/ledger-contract.ts'
import { createCountersById } from '../counters-by-id.ts'
import { refillWindows } from '../refill-windows.ts'
import type { SlidingWindow } from '../sliding-window.ts'
import { entityIds } from './live-request.ts'
import { bucketArguments } from './scripts/arguments.ts'

type Now = { nowMs: number; now: number }

/** The windows of the last 60 seconds as the ledger knows them, as arguments of the script. */
export const windowsFromLedger = async (
  ledger: Pick<LedgerRecords, 'since'>,
  { nowMs, now }: Now,
): Promise<(string | number)[]> => {
  const countersById = createCountersById()
  const ids = new Set<string>()
  refillWindows(await ledger.since(now - 60_000), { nowMs, now }, (row) =>
    entityIds(row).map((id) => {
      ids.add(id)
      return countersById.of(id)
    }),
  )
  return [...ids].flatMap((id) => {
    const { requests, settled } = countersById.of(id)
    return [...packBuckets('r', id, requests), ...packBuckets('s', id, settled)]
  })
}

const packBuckets = (window: string, id: string, { buckets }: SlidingWindow): (string | number)[] =>
  buckets.flatMap(({ lastMs, amount }) => bucketArguments.pack({ window, id, bucket: `${lastMs} ${amount}` }))
