import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { LedeText } from '../../components/lede-text.tsx'
import { usageLede } from '../../ledes/usage-lede.ts'
import { useNow } from '../../time/use-now.ts'
import { useLocale } from '../../words-context.tsx'
import { Change } from './change.tsx'
import { rangeText } from './range-text.ts'
import { countDays, hasOwnRange } from './usage-parameters.ts'
import type { UsageView } from './usage-view.ts'

type UsageLedeProps = { usage: Usage; view: Pick<UsageView, 'from' | 'to' | 'days'> }

/** How much was used in the period, what it cost, and how that compares. */
export const UsageLede = ({ usage: data, view }: UsageLedeProps) => {
  const { language, words } = useLocale()
  const { usage } = words
  const now = useNow()
  const totalTokens = ({ promptTokens, completionTokens }: Usage['total']): number => promptTokens + completionTokens
  const range = hasOwnRange(view) ? rangeText(data, now, usage, language) : usage.last(countDays(view))
  return (
    <>
      <LedeText parts={usageLede(data, range, words, language)} />
      {data.previous === null || totalTokens(data.previous.total) === 0 ? null : (
        <span className="muted">
          {' '}
          {usage.changeBefore}
          <Change now={totalTokens(data.total)} before={totalTokens(data.previous.total)} />
          {usage.changeAfter}
        </span>
      )}
    </>
  )
}
