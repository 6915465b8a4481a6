import type { Usage, UsageQuery } from '../../../../src/platform/contract/usage.ts'
import type { UsageView } from './usage-view.ts'

/** What the page shows when its address says nothing else. */
export const defaultUsageView: UsageView = {
  ...{ days: '30', from: '', to: '', unit: 'day', by: 'none', show: 'tokens', zone: '', compare: '' },
}

export const hasOwnRange = ({ from, to }: Pick<UsageView, 'from' | 'to'>): boolean => from !== '' && to !== ''

const dayMs = 86_400_000

export const countDays = (view: Pick<UsageView, 'from' | 'to' | 'days'>): number =>
  hasOwnRange(view) ? (Date.parse(view.to) - Date.parse(view.from)) / dayMs + 1 : Number(view.days)

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

/** Whether there is anything to show, in the period or in the one that it is compared with. */
export const hasUsage = ({ total, previous }: Pick<Usage, 'total' | 'previous'>): boolean =>
  total.requests > 0 || (previous?.total.requests ?? 0) > 0
