import type { UsageFigures } from '../../../../src/platform/contract/usage.ts'
import { moneyText, wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { dayWords } from './day-words.ts'

type ReadoutProps = {
  day: string | null
  figures: UsageFigures
  /** Null: nothing has a price. */
  currency: string | null
}

/** The legend, with the figures of the day that is pointed at, or of all of them. */
export const Readout = ({ day, figures, currency }: ReadoutProps) => {
  const { language, words } = useLocale()
  const { usage, shell } = words
  const { promptTokens, completionTokens, requests, costMicros } = figures
  return (
    <p className="readout" aria-live="polite">
      <b>{day === null ? usage.allDays : dayWords(day, language)}</b>
      <span className="legend">
        {shell.prompt} <b>{wholeText(promptTokens, language)}</b>
      </span>
      <span className="legend received">
        {shell.completion} <b>{wholeText(completionTokens, language)}</b>
      </span>
      <span>
        {shell.requests} <b>{wholeText(requests, language)}</b>
      </span>
      {currency === null ? null : (
        <span>
          {shell.cost} <b>{moneyText(costMicros, currency, language)}</b>
        </span>
      )}
    </p>
  )
}
