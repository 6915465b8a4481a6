import type { ShownLimit } from '../../../../src/platform/contract/limits.ts'
import { usedShare } from '../limits/limit-words.ts'

const shownLimits = 4

/** The limits that are set, nearest to full first. */
export const nearestLimits = (limits: readonly ShownLimit[]): readonly ShownLimit[] =>
  limits
    .filter(({ limit }) => limit !== null)
    .toSorted((a, b) => (usedShare(b) ?? 0) - (usedShare(a) ?? 0))
    .slice(0, shownLimits)
