import type { Endpoint, Outcome, UsageRecords, UsageTotals } from '../../store/ledger-contract.ts'
import type { UsagePeriod } from '../../usage/usage-period.ts'
import { momentsOf, type UsageSlots } from './usage-slots.ts'
import type { UsageSource } from './usage-source.ts'

/** The totals of a slot, key, model and, if counted from requests, endpoint and outcome. */
export type CountedUsage = UsageTotals & {
  slot: number
  keyId: string | null
  model: string
  endpoint: Endpoint | null
  outcome: Outcome | null
}

/** So few that no other search waits noticeably. */
const lookedAtOnce = 5000

/** Passes on everything that was counted; the same slot, key and model may come several times. */
export const countUsage = async (
  organisationId: string,
  { period, slots, source }: { period: UsagePeriod; slots: UsageSlots; source: UsageSource },
  usage: Pick<UsageRecords, 'rows' | 'settled'>,
  onCounted: (counted: CountedUsage) => void,
): Promise<void> => {
  if (source.kind === 'totals') {
    const rows = await usage.rows({ organisationId, ...period })
    for (const row of rows) onCounted({ ...row, slot: slots.indexOfDay(row.day), endpoint: null, outcome: null })
    return
  }
  const { from, until } = momentsOf(period, source.timeZone)
  const filter = { organisationId, from: Math.max(from, source.countedFrom ?? from), until, limit: lookedAtOnce }
  for (let place = null; ; ) {
    const page = await usage.settled({ ...filter, place })
    for (const row of page.rows) onCounted({ ...row, slot: slots.indexOfTime(row.startsAt) })
    if (page.next === null) return
    place = page.next
  }
}
