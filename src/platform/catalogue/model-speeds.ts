import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { addDays } from '../../base/day-text.ts'
import { createLookupCache } from '../../base/lookup-cache.ts'
import type { UsageRecords, UsageTotals } from '../../store/ledger-contract.ts'
import type { CatalogueModel } from '../contract/models.ts'

type Speed = NonNullable<CatalogueModel['speed']>

const maxModels = 500
const freshMs = 2_000

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

/** Without a first token there is no answer whose speed was measured. */
const speedOf = ({ firstTokens, firstTokenMs, timedTokens, timedMs }: UsageTotals): Speed => ({
  firstTokenMs: firstTokenMs / firstTokens,
  tokensPerSecond: timedMs === 0 ? null : (timedTokens * 1000) / timedMs,
})
