import { limitNames } from '../../../../src/config/limit-kinds.ts'
import type { Limits } from '../../../platform/types.ts'
import { useLocale } from '../../words-context.tsx'
import { useLimitFigures } from '../limits/use-limit-figures.ts'

/** The limits of a key's own, budgets included: the first in full, the others small below. */
export const LimitLines = ({ limits: set }: { limits: Limits }) => {
  const { keys, limits } = useLocale().words
  const { roundFigure } = useLimitFigures()
  const [first, ...rest] = limitNames.flatMap((name) => {
    const limit = set[name]
    return limit === null ? [] : [limits.kinds[name].short(roundFigure(name, limit))]
  })
  if (first === undefined) return <span className="muted">{keys.noLimits}</span>
  return (
    <>
      {first}
      {rest.length === 0 ? null : <span className="subtext">{rest.join(' · ')}</span>}
    </>
  )
}
