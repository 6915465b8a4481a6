import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import { dayOf, readTimeZone } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { addDays, dayText } from '../../base/day-text.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import type { RefusedCount, RequestLogRecords } from '../../store/request-log-contract.ts'
import { readPeriod, type UsagePeriod } from '../../usage/usage-period.ts'
import type { UsageQuery } from '../contract/usage.ts'
import { maxDaysByUnit, type UsageSeries, type UsageUnit } from '../contract/usage-groups.ts'
import { countUsage } from './count-usage.ts'
import { previousPeriod } from './previous-period.ts'
import { type CountedLine, createUsageLines } from './usage-lines.ts'
import { buildSlots, periodBounds } from './usage-slots.ts'
import { chooseSource, type UsageSource } from './usage-source.ts'

export type UsageDependencies = {
  usage: Pick<UsageRecords, 'rows' | 'days' | 'settled' | 'horizon'>
  requestLog: Pick<RequestLogRecords, 'countRefused'>
  keys: Pick<KeyRegistry, 'list'>
  accounts: Pick<Accounts, 'teams'>
  clock: Clock
  timeZone: string
}

/** How a series is named, by its ID. */
type SeriesNames = ReadonlyMap<string, { name: string; lastFour: string | null }>

/** What was asked for, and the lines that answer it. */
export type ReadUsage = {
  unit: UsageUnit
  by: UsageSeries
  period: UsagePeriod
  /** Null unless compared. */
  previous: UsagePeriod | null
  source: UsageSource
  slots: readonly string[]
  lines: CountedLine[]
  names: SeriesNames
  /** Requests of the period that reached no model, by error. */
  rejected: readonly RefusedCount[]
}

const usualDays = 30

export const readUsage = async (
  { unit = 'day', by = 'none', zone, compare: isCompared = false, ...asked }: UsageQuery,
  organisationId: string,
  { usage, requestLog, keys, accounts, clock, timeZone: serverTimeZone }: UsageDependencies,
): Promise<ReadUsage> => {
  const timeZone = zone === undefined ? serverTimeZone : readTimeZone(zone)
  if (timeZone === null) throw refused('zone', 'expected a time zone such as Asia/Tokyo')
  const period = requirePeriod(asked, unit, clock.now(), timeZone)
  const previous = isCompared ? previousPeriod(unit, period) : null
  const whole = { fromDay: previous?.fromDay ?? period.fromDay, toDay: period.toDay }
  const question = { organisationId, period: whole, unit, by, timeZone, serverTimeZone }
  const source = await chooseSource(question, usage)
  const [listed, emails] = await Promise.all([
    by === 'key' || by === 'person' ? keys.list({ organisationId }) : [],
    by === 'person' ? accounts.teams.memberEmails(organisationId) : new Map<string, string>(),
  ])
  const creators = new Map(listed.map(({ id, createdBy }) => [id, createdBy]))
  const findAccount = (keyId: string): string | null => {
    const account = creators.get(keyId) ?? null
    return account !== null && emails.has(account) ? account : null
  }
  const lines = createUsageLines(unit, by, findAccount)
  const slots = buildSlots(unit, period, source.timeZone)
  await countUsage(organisationId, { period, slots, source, by }, usage, lines.addNow)
  // Half of a period would be compared with the whole of another.
  const isComparable = source.kind === 'totals' || source.countedFrom === null
  if (previous !== null && isComparable) {
    const before = { period: previous, slots: buildSlots(unit, previous, source.timeZone), source, by }
    await countUsage(organisationId, before, usage, lines.addBefore)
  }
  const compared = isComparable ? previous : null
  const { from, until } = periodBounds(period, source.timeZone)
  return {
    ...{ unit, by, period, source },
    rejected: await requestLog.countRefused(organisationId, from, until),
    previous: compared,
    slots: slots.names,
    lines: lines.finish(compared !== null),
    names: new Map<string, { name: string; lastFour: string | null }>([
      ...listed.map(({ id, name, lastFour }) => [id, { name, lastFour }] as const),
      ...[...emails].map(([id, email]) => [id, { name: email, lastFour: null }] as const),
    ]),
  }
}

type Asked = Pick<UsageQuery, 'from' | 'to' | 'days'>

const requirePeriod = ({ from, to, days }: Asked, unit: UsageUnit, now: number, timeZone: string): UsagePeriod => {
  const today = dayOf(now, timeZone)
  const isOpen = from === undefined && to === undefined
  const last = days ?? (isOpen ? Math.min(usualDays, maxDaysByUnit[unit]) : undefined)
  const asked = last === undefined ? { from, to } : { from: dayText(addDays(today, 1 - last)), to: dayText(today) }
  const read = readPeriod(asked, now, timeZone, maxDaysByUnit[unit])
  if (read.outcome === 'refused') throw refused(days === undefined ? read.field : 'days', read.reason)
  return read.period
}

const refused = (path: string, reason: string): ApiError =>
  ApiError.of('refused_value', { path, reason }, { param: path })
