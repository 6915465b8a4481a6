import { dayOf, dayStartAt } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { addDays } from '../../base/day-text.ts'
import { createLookupCache } from '../../base/lookup-cache.ts'
import type { UsageRecords, UsageShare } from '../../store/ledger-contract.ts'
import type { RefusedCount, RequestLogRecords, ServerRefusalCount } from '../../store/request-log-contract.ts'
import type { CountedRefusals, Overview, UsageShareShown } from '../contract/overview.ts'
import { previousPeriod } from '../usage/previous-period.ts'
import { totalsJson, usageJson } from '../usage/usage-json.ts'
import { createUsageLines } from '../usage/usage-lines.ts'
import { buildSlots } from '../usage/usage-slots.ts'

export type FiguresDependencies = {
  usage: Pick<UsageRecords, 'days' | 'largest'>
  requestLog: Pick<RequestLogRecords, 'countServerRefusals'>
  clock: Clock
  timeZone: string
  currency: string
}

type Figures = Pick<Overview, 'usage' | 'organisations' | 'usedModels' | 'refusals'> & {
  today: { requests: number; failed: number }
}

const maxListed = 10
const ofAll = { keyId: null, model: null, endpoint: null, outcome: null }
const maxRefusals = 50_000

/** What all organisations used in the last days: from totals, however many requests there were. */
const readFigures = async (
  days: number,
  { usage, requestLog, clock, timeZone, currency }: FiguresDependencies,
): Promise<Figures> => {
  const toDay = dayOf(clock.now(), timeZone)
  const period = { fromDay: addDays(toDay, 1 - days), toDay }
  const previous = previousPeriod('day', period)
  const source = { kind: 'totals', timeZone, limited: null } as const
  const lines = createUsageLines('day', 'none', () => null)
  const slots = buildSlots('day', period, timeZone)
  const since = dayStartAt(period.fromDay, timeZone)
  const [organisations, models, refused, now, before] = await Promise.all([
    usage.largest('organisation', { ...period, limit: maxListed }),
    usage.largest('model', { ...period, limit: maxListed }),
    requestLog.countServerRefusals({ since, looked: maxRefusals, limit: maxListed }),
    usage.days({ organisationId: null, ...period }),
    usage.days({ organisationId: null, ...previous }),
  ])
  const earlier = buildSlots('day', previous, timeZone)
  for (const row of now) lines.addNow({ ...ofAll, ...row, slot: slots.indexOfDay(row.day) })
  for (const row of before) lines.addBefore({ ...ofAll, ...row, slot: earlier.indexOfDay(row.day) })
  const counted = lines.finish(true)
  const { requests = 0, failed = 0 } = counted.find(({ slot }) => slot === slots.names.length - 1)?.now ?? {}
  const about = { unit: 'day', by: 'none', names: new Map() } as const
  return {
    usage: usageJson(
      { ...about, period, previous, source, slots: slots.names, lines: counted, rejected: countByError(refused) },
      { timeZone, currency },
    ),
    organisations: organisations.map(shareJson),
    usedModels: models.map(shareJson),
    refusals: refused.map(
      ({ error, limit, requests: count }): CountedRefusals => ({
        ...{ error, limit: limit?.name ?? null, scope: limit?.scope ?? null, requests: count },
      }),
    ),
    today: { requests, failed },
  }
}

/** Whatever the limit was that refused them. */
const countByError = (refused: readonly ServerRefusalCount[]): RefusedCount[] => {
  const counts = new Map<string, number>()
  for (const { error, requests } of refused) counts.set(error, (counts.get(error) ?? 0) + requests)
  return [...counts].map(([error, count]) => ({ error, count }))
}

const shareJson = ({ id, name, ...totals }: UsageShare): UsageShareShown => ({ id, name, figures: totalsJson(totals) })

const freshMs = 5_000
/** Pages ask for one of a few periods. */
const maxEntries = 10

/** The totals of a large server are many rows, so they are read once every five seconds however many pages are open. */
export const createFiguresReader = (dependencies: FiguresDependencies): ((days: number) => Promise<Figures>) => {
  const load = (days: string): Promise<Figures> => readFigures(Number(days), dependencies)
  const cache = createLookupCache({ load, clock: dependencies.clock, freshMs, maxEntries })
  return async (days) => cache.get(String(days))
}
