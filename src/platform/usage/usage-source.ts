import { dayOf, dayStartAt } from '../../base/calendar.ts'
import { addDays } from '../../base/day-text.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import type { UsagePeriod } from '../../usage/usage-period.ts'
import type { UsageSeries, UsageUnit } from '../contract/usage-groups.ts'
import { periodBounds } from './usage-slots.ts'

/** More are not counted one by one: about a second of the connection for searches, in short steps. */
const maxCounted = 300_000

/** Why what was asked for cannot be counted as it was asked. */
type Limited = 'retention' | 'volume' | null

/**
 * Where the figures come from. The totals are stored by day of the server's time zone, for ever; hours, endpoints,
 * outcomes and the days of another zone are counted from the settled requests, for as long as these are kept.
 */
export type UsageSource =
  | { kind: 'totals'; timeZone: string; limited: Limited }
  /** Null: all of the period. */
  | { kind: 'requests'; timeZone: string; limited: Limited; countedFrom: number | null }

type SourceQuestion = {
  organisationId: string
  /** With the period that it is compared with. */
  period: UsagePeriod
  unit: UsageUnit
  by: UsageSeries
  timeZone: string
  serverTimeZone: string
}

export const chooseSource = async (
  { organisationId, period, unit, by, timeZone, serverTimeZone }: SourceQuestion,
  usage: Pick<UsageRecords, 'rows' | 'horizon'>,
): Promise<UsageSource> => {
  const isOnlyInRequests = unit === 'hour' || by === 'endpoint' || by === 'status'
  if (!isOnlyInRequests && timeZone === serverTimeZone) return { kind: 'totals', timeZone, limited: null }
  const { from, until } = periodBounds(period, timeZone)
  const [fromDay, toDay] = [dayOf(from, serverTimeZone), dayOf(until - 1, serverTimeZone)]
  const [horizon, rows] = await Promise.all([usage.horizon(), usage.rows({ organisationId, fromDay, toDay })])
  const firstWhole = horizon === null ? fromDay : addDays(horizon, 1)
  const firstCountable = firstDayWithin(maxCounted, rows, fromDay)
  const firstDay = Math.max(firstWhole, firstCountable)
  // Days without requests have nothing to lose.
  const isWhole = !rows.some(({ day }) => day < firstDay)
  if (isWhole) return { kind: 'requests', timeZone, limited: null, countedFrom: null }
  const limited = firstCountable > firstWhole ? 'volume' : 'retention'
  if (!isOnlyInRequests) return { kind: 'totals', timeZone: serverTimeZone, limited }
  const countedFrom = Math.min(until, Math.max(from, dayStartAt(firstDay, serverTimeZone)))
  return { kind: 'requests', timeZone, limited, countedFrom }
}

/** The earliest day since which there are at most this many requests. */
const firstDayWithin = (max: number, rows: readonly { day: number; requests: number }[], fromDay: number): number => {
  let left = max
  // They are ordered by day.
  for (const { day, requests } of rows.toReversed()) {
    left -= requests
    if (left < 0) return addDays(day, 1)
  }
  return fromDay
}
