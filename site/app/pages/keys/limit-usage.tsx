import type { LimitUses } from '../../../platform/types.ts'
import { UsageBar } from '../../components/usage-bar.tsx'
import { useLocale } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'
import { resetText } from '../limits/reset-text.ts'
import { useLimitFigures } from '../limits/use-limit-figures.ts'
import { limitNames } from './key-draft.ts'

/** Each limit that is set, how much of it is used, and when it resets. */
export const LimitUseList = ({ uses, now }: { uses: LimitUses; now: number }) => {
  const { language, words } = useLocale()
  const { limits } = words
  const { figure } = useLimitFigures()
  return (
    <ul className="limit-usage">
      {limitNames.map((name) => {
        const use = uses[name]
        if (use === undefined) return null
        const { limit, used } = use
        return (
          <li key={name}>
            <span className="secondary">{limitNameText(name, words)}</span>
            <span className="tabular">{limits.usedOf(figure(name, used), figure(name, limit))}</span>
            <UsageBar share={Math.min(1, used / limit)} />
            <span className="muted">
              {limits.free}: {resetText(use, now, language, words)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
