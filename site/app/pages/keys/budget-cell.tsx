import type { Key, LimitUse } from '../../../platform/types.ts'
import { UsageBar } from '../../components/usage-bar.tsx'
import { roundText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'

/** Tokens of this month, against the month's budget where there is one; a day's budget has a line of its own below. */
export const BudgetCell = ({ apiKey }: { apiKey: Key }) => {
  const { language, words } = useLocale()
  const { keys } = words
  const { tokensPerDay, tokensPerMonth } = apiKey.uses
  const round = (value: number): string => roundText(value, language)
  const month = (
    <>
      {round(tokensPerMonth?.used ?? apiKey.tokensThisMonth)}
      {tokensPerMonth === undefined ? null : (
        <span className="muted"> {keys.budgetOf(round(tokensPerMonth.limit))}</span>
      )}
    </>
  )
  if (tokensPerMonth === undefined && tokensPerDay === undefined) return <span className="tabular">{month}</span>
  return (
    <span className="budget tabular">
      <span>{month}</span>
      {tokensPerMonth === undefined ? null : <BudgetBar {...tokensPerMonth} />}
      {tokensPerDay === undefined ? null : (
        <>
          <span className="subtext">{keys.budgetToday(round(tokensPerDay.used), round(tokensPerDay.limit))}</span>
          <BudgetBar {...tokensPerDay} />
        </>
      )}
    </span>
  )
}

const BudgetBar = ({ used, limit }: LimitUse) => <UsageBar share={Math.min(1, used / limit)} />
