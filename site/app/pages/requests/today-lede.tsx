import { useQuery } from '@tanstack/react-query'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import type { Platform } from '../../../platform/platform.ts'
import { usePlatform } from '../../app-state.ts'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { usageQuery } from '../usage/usage-query.ts'
import type { UsageView } from '../usage/usage-view.ts'

/** Requests, failed ones and rejected ones of the reader's day, then how many are running. */
export const TodayLede = ({ running }: { running: number }) => {
  const { language, words } = useLocale()
  const { requests } = words
  const { data, isPending } = useQuery(todayQuery(usePlatform()))
  if (data === undefined && isPending) return <span className="skeleton-line" />
  return (
    <>
      {data === undefined ? null : (
        <>
          <b>{requests.today(todayFigures(data, (count) => wholeText(count, language)))}</b>{' '}
        </>
      )}
      <span className="muted">{requests.running(running)}</span>
    </>
  )
}

const today: UsageView = {
  ...{ days: '1', from: '', to: '', unit: 'total', by: 'none', show: 'requests', zone: '', compare: '' },
}

export const todayQuery = (platform: Platform) => usageQuery(platform, today)

/** Rejected requests are no part of the others; what did not happen is left out. */
export const todayFigures = (
  { total, rejected }: Pick<Usage, 'total' | 'rejected'>,
  figure: (count: number) => string,
): { requests: string; isOne: boolean; failed: string | null; rejected: string | null } => {
  const all = total.requests + rejected.total
  return {
    requests: figure(all),
    isOne: all === 1,
    failed: total.failed === 0 ? null : figure(total.failed),
    rejected: rejected.total === 0 ? null : figure(rejected.total),
  }
}
