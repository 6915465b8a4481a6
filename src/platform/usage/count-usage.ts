import type { Endpoint, Outcome, UsageRecords, UsageTotals } from '../../store/ledger-contract.ts'
import type { UsagePeriod } from '../../usage/usage-period.ts'
import type { UsageSeries } from '../contract/usage-groups.ts'
import { periodBounds, type UsageSlots } from './usage-slots.ts'
import type { UsageSource } from './usage-source.ts'

/** The totals of a slot, by key and model unless `by` is `none`; if counted from requests, by endpoint and outcome too. */
export type CountedUsage = UsageTotals & {
  slot: number
  keyId: string | null
  model: string | null
  endpoint: Endpoint | null
  outcome: Outcome | null
}

/** Few enough that no other search waits noticeably. */
const lookedAtOnce = 5000

/** Passes on everything that was counted; the same slot, key and model may come several times. */
export const countUsage = async (
  organisationId: string,
  { period, slots, source, by }: { period: UsagePeriod; slots: UsageSlots; source: UsageSource; by: UsageSeries },
  usage: Pick<UsageRecords, 'rows' | 'days' | 'settled'>,
  onCounted: (counted: CountedUsage) => void,
): Promise<void> => {
  if (source.kind === 'totals') {
    const unknown = { keyId: null, model: null, endpoint: null, outcome: null }
    const asked = { organisationId, ...period }
    const rows = by === 'none' ? await usage.days(asked) : await usage.rows(asked)
    for (const row of rows) onCounted({ ...unknown, ...row, slot: slots.indexOfDay(row.day) })
    return
  }
  const { from, until } = periodBounds(period, source.timeZone)
  const filter = { organisationId, from: Math.max(from, source.countedFrom ?? from), until, limit: lookedAtOnce }
  for (let place = null; ; ) {
    const page = await usage.settled({ ...filter, place })
    for (const row of page.rows) onCounted({ ...row, slot: slots.indexOfTime(row.startsAt) })
    if (page.next === null) return
    place = page.next
  }
}
