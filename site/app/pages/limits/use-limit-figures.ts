import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { moneyText, roundText } from '../../figures.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { isCostLimit, limitFigureText } from './limit-words.ts'

/** How values of limits are written, and whether a limit is shown: budgets in money only where something costs money. */
export const useLimitFigures = () => {
  const { language } = useLocale()
  const { currency, hasPrices } = useSession()
  return {
    figure: (name: LimitName, value: number): string => limitFigureText(name, value, currency, language),
    /** Where there is little space. */
    roundFigure: (name: LimitName, value: number): string =>
      isCostLimit(name) ? moneyText(value, currency, language) : roundText(value, language),
    /** `limit` is what is set, if anything. */
    isShown: (name: LimitName, limit: number | null): boolean => !isCostLimit(name) || hasPrices || limit !== null,
  }
}
