import type { UsageQuery } from '../../../../src/platform/contract/usage.ts'
import { maxDaysByUnit, usageSeries, usageUnits } from '../../../../src/platform/contract/usage-groups.ts'
import { choice, day, type ViewOf } from '../../address/view-fields.ts'

/** Days up to today. */
export const usagePresets = ['1', '7', '30', '90', '365'] as const
export const usageMetrics = ['tokens', 'requests', 'cost'] as const
export type UsageMetric = (typeof usageMetrics)[number]

export const usageView = {
  days: choice(usagePresets, '30'),
  /** Both, instead of `days`. */
  from: day(),
  to: day(),
  unit: choice(usageUnits, 'day'),
  by: choice(usageSeries, 'none'),
  show: choice(usageMetrics, 'tokens'),
  /** Days begin by the reader's clock unless it is the server's. */
  zone: choice(['', 'server'], ''),
  compare: choice(['', 'previous'], ''),
}
export type UsageView = ViewOf<typeof usageView>

/** What the page shows when its address says nothing else. */
export const defaultUsageView: UsageView = {
  ...{ days: '30', from: '', to: '', unit: 'day', by: 'none', show: 'tokens', zone: '', compare: '' },
}

export const hasOwnRange = ({ from, to }: Pick<UsageView, 'from' | 'to'>): boolean => from !== '' && to !== ''

const dayMs = 86_400_000

export const countDays = (view: Pick<UsageView, 'from' | 'to' | 'days'>): number =>
  hasOwnRange(view) ? (Date.parse(view.to) - Date.parse(view.from)) / dayMs + 1 : Number(view.days)

/** The change, and what has to change with it: hours of a year would fit into no chart. */
export const fitting = (view: UsageView, part: Partial<UsageView>): Partial<UsageView> => {
  const wanted = { ...view, ...part }
  const days = countDays(wanted)
  if (days <= maxDaysByUnit[wanted.unit]) return part
  if (part.unit !== undefined) return { ...part, days: part.unit === 'hour' ? '7' : '365', from: '', to: '' }
  return { ...part, unit: days <= maxDaysByUnit.day ? 'day' : 'month' }
}

/** What an address asks for, as far as it can be shown: the earlier day first, at most ten years, in a fitting unit. */
export const showable = (view: UsageView): UsageView => {
  const [from, to] = hasOwnRange(view) && view.from > view.to ? [view.to, view.from] : [view.from, view.to]
  const ordered = { ...view, from, to }
  const possible = countDays(ordered) <= maxDaysByUnit.total ? ordered : { ...view, from: '', to: '' }
  return { ...possible, ...fitting(possible, {}) }
}

/** The reader's own time zone. */
export const readerZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the server is asked for. */
export const usageParameters = (view: UsageView): UsageQuery => ({
  unit: view.unit,
  by: view.by,
  ...(hasOwnRange(view) ? { from: view.from, to: view.to } : { days: Number(view.days) }),
  ...(view.zone === '' ? { zone: readerZone() } : {}),
  ...(view.compare === '' ? {} : { compare: true }),
})
