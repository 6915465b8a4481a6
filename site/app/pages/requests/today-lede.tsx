import { useQuery } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'
import { usePlatform } from '../../app-state.ts'
import { LedeText } from '../../components/lede-text.tsx'
import { todayLede } from '../../ledes/today-lede.ts'
import { useLocale } from '../../words-context.tsx'
import { usageQuery } from '../usage/usage-query.ts'
import { todayView } from './today-view.ts'

/** Requests, failed ones and rejected ones of the reader's day, then how many are running. */
export const TodayLede = ({ running }: { running: number }) => {
  const { language, words } = useLocale()
  const { data, isPending } = useQuery(todayQuery(usePlatform()))
  if (data === undefined && isPending) return <span className="skeleton-line" />
  return <LedeText parts={todayLede(data, running, words, language)} />
}

export const todayQuery = (platform: Platform) => usageQuery(platform, todayView)
