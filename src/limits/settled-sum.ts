import type { LimitUnit } from '../config/limit-kinds.ts'
import type { UsageRecords, UsageSubject } from '../store/ledger-contract.ts'

export type SettledSums = Pick<UsageRecords, 'requests' | 'tokens' | 'costMicros'>

/** What the ledger has settled in some days, in the unit of a limit. */
export const settledSum = (usage: SettledSums, unit: LimitUnit, subject: UsageSubject): Promise<number> =>
  unit === 'tokens' ? usage.tokens(subject) : unit === 'money' ? usage.costMicros(subject) : usage.requests(subject)
