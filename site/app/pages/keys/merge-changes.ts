import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import type { Limits } from '../../../platform/types.ts'
import { limitNames, limitTexts } from './key-draft.ts'

export type LimitTexts = Readonly<Record<LimitName, string>>

/** What the fields show once somebody else has changed the limits: typed values stay, all others are updated. */
export const mergeChanges = (typed: LimitTexts, seen: Limits, now: Limits): Record<LimitName, string> => {
  const before = limitTexts(seen)
  const fresh = limitTexts(now)
  const texts = { ...typed }
  for (const name of limitNames) if (typed[name] === before[name]) texts[name] = fresh[name]
  return texts
}
