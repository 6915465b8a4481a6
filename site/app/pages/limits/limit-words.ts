import type { Language } from '../../../../languages/language.ts'
import type { Words } from '../../../../languages/words.ts'
import { limitKinds, limitNames } from '../../../../src/config/limit-kinds.ts'
import type { LimitName, ShownLimit } from '../../../../src/platform/contract/limits.ts'
import { moneyText, wholeText } from '../../figures.ts'

export const limitNameText = (name: LimitName, { limits }: Pick<Words, 'limits'>): string => limits.kinds[name].name

/** Its figures are in micros. */
export const isCostLimit = (name: string): boolean =>
  limitNames.some((limit) => limit === name && limitKinds[limit].unit === 'money')

/** A value of a limit, with all digits. */
export const limitFigureText = (name: LimitName, value: number, currency: string, language: Language): string =>
  isCostLimit(name) ? moneyText(value, currency, language) : wholeText(value, language)

/** How much of it is used, from 0 to 1; null where nobody can say. */
export const usedShare = ({ limit, used }: ShownLimit): number | null =>
  limit === null || used === null ? null : Math.min(1, used / limit)
