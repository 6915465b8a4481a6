import { maxDaysByUnit } from '../../../../src/platform/contract/usage-groups.ts'
import { countDays, hasOwnRange } from './usage-parameters.ts'
import type { UsageView } from './usage-view.ts'

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
