import type { LimitUses } from '../../../platform/types.ts'
import { UsageBar } from '../../components/usage-bar.tsx'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { limitNameText } from '../limits/limit-words.ts'
import { resetText } from '../limits/reset-text.ts'
import { limitNames } from './key-draft.ts'

/** Each limit that is set, how much of it is used, and when it resets. */
export const LimitUseList = ({ uses, now }: { uses: LimitUses; now: number }) => {
  const { language, words } = useLocale()
  const { limits } = words
  const whole = (value: number): string => wholeText(value, language)
  return (
    <ul className="limit-usage">
      {limitNames.map((name) => {
        const use = uses[name]
        if (use === undefined) return null
        const { limit, used } = use
        return (
          <li key={name}>
            <span className="secondary">{limitNameText(name, words)}</span>
            <span className="tabular">{limits.usedOf(whole(used), whole(limit))}</span>
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
