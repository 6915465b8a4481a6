import type { Language } from '../../../languages/language.ts'
import type { Words } from '../../../languages/words.ts'
import type { Usage } from '../../../src/platform/contract/usage.ts'
import { moneyText, roundText } from '../figures.ts'
import type { Lede } from './lede.ts'

/** How much was used in the period, and what it cost. */
export const usageLede = (
  { total, currency }: Pick<Usage, 'total' | 'currency'>,
  range: string,
  { usage }: Pick<Words, 'usage'>,
  language: Language,
): Lede => {
  const tokens = { strong: usage.tokens(roundText(total.promptTokens + total.completionTokens, language)) }
  const cost = { strong: moneyText(total.costMicros, currency, language) }
  return [
    ...[usage.ledeBefore(range), tokens, usage.ledeAfter(range)],
    ...(total.costMicros === 0 ? [] : [` ${usage.costBefore}`, cost, usage.costAfter]),
  ]
}
