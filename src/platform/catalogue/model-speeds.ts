import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { addDays } from '../../base/day-text.ts'
import { createLookupCache } from '../../base/lookup-cache.ts'
import type { UsageRecords, UsageTotals } from '../../store/ledger-contract.ts'
import type { CatalogueModel } from '../contract/models.ts'

type Speed = NonNullable<CatalogueModel['speed']>

const maxModels = 500
const freshMs = 2_000
/** The speed of a handful of tokens says nothing. */
const leastTokens = 50

/** Averages by model, from the totals of yesterday and today. Read every two seconds at most, however many pages are open. */
export const createModelSpeeds = (
  usage: Pick<UsageRecords, 'largest'>,
  clock: Clock,
  timeZone: string,
): (() => Promise<ReadonlyMap<string, Speed>>) => {
  const read = async (): Promise<ReadonlyMap<string, Speed>> => {
    const today = dayOf(clock.now(), timeZone)
    const totals = await usage.largest('model', { fromDay: addDays(today, -1), toDay: today, limit: maxModels })
    return new Map(totals.flatMap((each) => (each.firstTokens === 0 ? [] : [[each.id, speedOf(each)]])))
  }
  const cache = createLookupCache({ load: read, clock, freshMs, maxEntries: 1 })
  return async () => cache.get('speeds')
}

/** The first token is where the time begins, so it is not among those that were waited for. */
const speedOf = ({ firstTokens, firstTokenMs, completionTokens, durationMs }: UsageTotals): Speed => {
  const tokens = completionTokens - firstTokens
  const ms = durationMs - firstTokenMs
  return {
    firstTokenMs: firstTokenMs / firstTokens,
    tokensPerSecond: tokens < leastTokens || ms <= 0 ? null : (tokens * 1000) / ms,
  }
}
