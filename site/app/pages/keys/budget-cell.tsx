import type { Key } from '../../../platform/types.ts'
import { UseBar } from '../../components/use-bar.tsx'
import { roundText } from '../../figures.ts'
import { useSpoken } from '../../words-context.tsx'
import { fullestBudget } from './key-state.ts'

/** Tokens of this month; where there is a budget, how much of it is gone. */
export const BudgetCell = ({ apiKey }: { apiKey: Key }) => {
  const { language, words } = useSpoken()
  const { keys } = words
  const round = (value: number): string => roundText(value, language)
  const budget = fullestBudget(apiKey)
  if (budget === null) return <span className="num">{round(apiKey.tokensThisMonth)}</span>
  return (
    <span className="budget num">
      <span>
        {budget.period === 'day' ? <span className="quiet">{keys.budgetToday} </span> : null}
        {round(budget.used)} <span className="quiet">{keys.budgetOf(round(budget.limit))}</span>
      </span>
      <UseBar share={Math.min(1, budget.used / budget.limit)} />
    </span>
  )
}
