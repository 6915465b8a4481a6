import type { Limits } from '../../../platform/types.ts'
import { moneyText, roundText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'

/** The limits of a key's own, budgets included: the first in full, the others small below. */
export const LimitLines = ({ limits }: { limits: Limits }) => {
  const { language, words } = useLocale()
  const { keys } = words
  const { currency } = useSession()
  const count = (most: number): string => roundText(most, language)
  const money = (most: number): string => moneyText(most, currency, language)
  const lineOf = (most: number | null, write: (figure: string) => string, figure = count): string | null =>
    most === null ? null : write(figure(most))
  const lines = [
    lineOf(limits.requestsPerMinute, keys.limitRequests),
    lineOf(limits.tokensPerMinute, keys.limitTokens),
    lineOf(limits.requestsInFlight, keys.limitAtOnce),
    lineOf(limits.tokensPerDay, keys.limitTokensDay),
    lineOf(limits.tokensPerMonth, keys.limitTokensMonth),
    lineOf(limits.costPerDayMicros, keys.limitCostDay, money),
    lineOf(limits.costPerMonthMicros, keys.limitCostMonth, money),
  ]
  const [first, ...rest] = lines.flatMap((line) => line ?? [])
  if (first === undefined) return <span className="muted">{keys.noLimits}</span>
  return (
    <>
      {first}
      {rest.length === 0 ? null : <span className="subtext">{rest.join(' · ')}</span>}
    </>
  )
}
