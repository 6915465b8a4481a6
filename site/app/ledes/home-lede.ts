import type { Language } from '../../../languages/language.ts'
import type { Words } from '../../../languages/words.ts'
import type { Usage } from '../../../src/platform/contract/usage.ts'
import { moneyText, wholeText } from '../figures.ts'
import type { Lede } from './lede.ts'

/** What the organisation asked and spent, and what went wrong; what did not happen is left out. */
export const homeLede = (
  { total, rejected, currency }: Pick<Usage, 'total' | 'rejected' | 'currency'>,
  { home }: Pick<Words, 'home'>,
  language: Language,
): Lede => {
  const { requests, costMicros, failed } = total
  const figure = (count: number): string => wholeText(count, language)
  return [
    { strong: requests === 0 ? home.none : home.lede(figure(requests), requests === 1) },
    ' ',
    {
      muted: home.summary({
        isOne: requests === 1,
        cost: costMicros === 0 ? null : moneyText(costMicros, currency, language),
        failed: failed === 0 ? null : figure(failed),
        rejected: rejected.total === 0 ? null : figure(rejected.total),
      }),
    },
  ]
}
