import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { dayText } from '../base/day-text.ts'
import type { UsageDifference, UsageRecords } from '../store/ledger-contract.ts'
import type { UsageGroup } from '../usage/summarise.ts'
import { totalsJson, type UsageJson, type UsageTotalsJson, usageJson } from '../usage/usage-json.ts'
import { readPeriod } from '../usage/usage-period.ts'

export type UsageShown = UsageJson

type DifferenceJson = {
  day: string
  organisation_id: string
  key_id: string | null
  model: string
  /** Value in the totals. */
  kept: UsageTotalsJson | null
  /** Value in the ledger. */
  counted: UsageTotalsJson | null
}
export type UsageVerified = {
  checked_requests: number
  /** The first day that is complete in the ledger; null if the ledger is empty. */
  from: string | null
  differences: DifferenceJson[]
}

export interface UsageControl {
  showUsage(question: { from?: string; to?: string; by?: UsageGroup }): Promise<UsageShown>
  verifyUsage(): Promise<UsageVerified>
}

type UsageControlDependencies = { usage: UsageRecords; clock: Clock; timeZone: string; currency: string }

export const createUsageControl = ({ usage, clock, timeZone, currency }: UsageControlDependencies): UsageControl => ({
  async showUsage({ by = 'day', ...asked }) {
    const read = readPeriod(asked, clock.now(), timeZone)
    if (read.outcome === 'refused')
      throw ApiError.of('refused_value', { path: read.field, reason: read.reason }, { param: read.field })
    const rows = await usage.rows({ organisationId: null, ...read.period })
    return usageJson(rows, { by, period: read.period, timeZone, currency })
  },
  async verifyUsage() {
    const { checkedRequests, fromDay, differences } = await usage.verify()
    return {
      checked_requests: checkedRequests,
      from: fromDay === null ? null : dayText(fromDay),
      differences: differences.map(differenceJson),
    }
  },
})

const differenceJson = ({ day, organisationId, keyId, model, kept, counted }: UsageDifference): DifferenceJson => ({
  day: dayText(day),
  organisation_id: organisationId,
  key_id: keyId,
  model,
  kept: kept === null ? null : totalsJson(kept),
  counted: counted === null ? null : totalsJson(counted),
})
