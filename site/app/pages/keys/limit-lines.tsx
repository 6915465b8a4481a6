import type { Limits } from '../../../platform/types.ts'
import { roundText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'

/** The limits of a key's own, budgets included: the first in full, the others small below. */
export const LimitLines = ({ limits }: { limits: Limits }) => {
  const { language, words } = useLocale()
  const { keys } = words
  const lines = [
    lineOf(limits.requestsPerMinute, keys.limitRequests),
    lineOf(limits.tokensPerMinute, keys.limitTokens),
    lineOf(limits.requestsInFlight, keys.limitAtOnce),
    lineOf(limits.tokensPerDay, keys.limitTokensDay),
    lineOf(limits.tokensPerMonth, keys.limitTokensMonth),
  ]
  const [first, ...rest] = lines.flatMap((line) => (line === null ? [] : [line.write(roundText(line.most, language))]))
  if (first === undefined) return <span className="muted">{keys.noLimits}</span>
  return (
    <>
      {first}
      {rest.length === 0 ? null : <span className="subtext">{rest.join(' · ')}</span>}
    </>
  )
}

const lineOf = (most: number | null, write: (count: string) => string) => (most === null ? null : { most, write })
