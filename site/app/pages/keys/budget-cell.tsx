import type { Key, LimitUse } from '../../../platform/types.ts'
import { UsageBar } from '../../components/usage-bar.tsx'
import { moneyText, roundText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'

/** Tokens of this month, against the month's budget where there is one; other budgets have lines of their own below. */
export const BudgetCell = ({ apiKey }: { apiKey: Key }) => {
  const { language, words } = useLocale()
  const { keys } = words
  const { tokensPerDay, tokensPerMonth, costPerDayMicros, costPerMonthMicros } = apiKey.uses
  const { currency } = useSession()
  const money = (value: number): string => moneyText(value, currency, language)
  const round = (value: number): string => roundText(value, language)
  const month = (
    <>
      {round(tokensPerMonth?.used ?? apiKey.tokensThisMonth)}
      {tokensPerMonth === undefined ? null : (
        <span className="muted"> {keys.budgetOf(round(tokensPerMonth.limit))}</span>
      )}
    </>
  )
  const budgets = [tokensPerMonth, tokensPerDay, costPerMonthMicros, costPerDayMicros]
  if (budgets.every((budget) => budget === undefined)) return <span className="tabular">{month}</span>
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
      {costPerMonthMicros === undefined ? null : (
        <>
          <span className="subtext">
            {keys.budgetMonth(money(costPerMonthMicros.used), money(costPerMonthMicros.limit))}
          </span>
          <BudgetBar {...costPerMonthMicros} />
        </>
      )}
      {costPerDayMicros === undefined ? null : (
        <>
          <span className="subtext">
            {keys.budgetToday(money(costPerDayMicros.used), money(costPerDayMicros.limit))}
          </span>
          <BudgetBar {...costPerDayMicros} />
        </>
      )}
    </span>
  )
}

const BudgetBar = ({ used, limit }: LimitUse) => <UsageBar share={Math.min(1, used / limit)} />
