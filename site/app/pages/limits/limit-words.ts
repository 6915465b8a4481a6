import type { Words } from '../../../../languages/words.ts'
import { limitKinds, limitNames } from '../../../../src/config/limit-kinds.ts'
import type { LimitName, ShownLimit } from '../../../../src/platform/contract/limits.ts'

export const limitNameText = (name: LimitName, { limits }: Pick<Words, 'limits'>): string => limits.kinds[name].name

/** Its figures are in micros. */
export const isCostLimit = (name: string): boolean =>
  limitNames.some((limit) => limit === name && limitKinds[limit].unit === 'money')

/** How much of it is used, from 0 to 1; null where nobody can say. */
export const usedShare = ({ limit, used }: ShownLimit): number | null =>
  limit === null || used === null ? null : Math.min(1, used / limit)
