import { Fragment } from 'react'
import type { Key, LimitUse } from '../../../platform/types.ts'
import { UsageBar } from '../../components/usage-bar.tsx'
import { moneyText, roundText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { type KeyBudget, keyBudgets } from './key-budgets.ts'

/** Tokens of this month, against the month's budget where there is one; other budgets have lines of their own below. */
export const BudgetCell = ({ apiKey }: { apiKey: Key }) => {
  const { language, words } = useLocale()
  const { keys, limits } = words
  const { currency } = useSession()
  const budgets = keyBudgets(apiKey)
  const ofMonth = budgets.find(({ unit, period }) => unit === 'tokens' && period === 'month')
  const round = (value: number): string => roundText(value, language)
  const budgetLine = ({ unit, period, use: { used, limit } }: KeyBudget): string => {
    const figure = (value: number): string => (unit === 'money' ? moneyText(value, currency, language) : round(value))
    // The column is about tokens, so other counts are named.
    return limits.usedIn[period](figure(used), unit === 'requests' ? limits.requests(figure(limit)) : figure(limit))
  }
  const month = (
    <>
      {round(ofMonth?.use.used ?? apiKey.tokensThisMonth)}
      {ofMonth === undefined ? null : <span className="muted"> {keys.budgetOf(round(ofMonth.use.limit))}</span>}
    </>
  )
  if (budgets.length === 0) return <span className="tabular">{month}</span>
  return (
    <span className="budget tabular">
      <span>{month}</span>
      {ofMonth === undefined ? null : <BudgetBar {...ofMonth.use} />}
      {budgets
        .filter((budget) => budget !== ofMonth)
        .map((budget) => (
          <Fragment key={`${budget.unit} ${budget.period}`}>
            <span className="subtext">{budgetLine(budget)}</span>
            <BudgetBar {...budget.use} />
          </Fragment>
        ))}
    </span>
  )
}

const BudgetBar = ({ used, limit }: LimitUse) => <UsageBar share={Math.min(1, used / limit)} />
