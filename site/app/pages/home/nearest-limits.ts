import type { LimitsShown, ShownLimit } from '../../../../src/platform/contract/limits.ts'
import { usedShare } from '../limits/limit-words.ts'

const shownLimits = 4

type LimitedKey = LimitsShown['keys'][number]
/** `key`: whose limit it is; null for the organisation's. */
export type NearLimit = ShownLimit & { key: Pick<LimitedKey, 'id' | 'name' | 'lastFour'> | null }

/** The limits that are set for the organisation and its keys, nearest to full first. */
export const nearestLimits = ({
  organisation,
  keys,
}: Pick<LimitsShown, 'organisation' | 'keys'>): readonly NearLimit[] =>
  [...organisation.map((limit) => ({ ...limit, key: null })), ...keys.flatMap(ofKey)]
    .filter(({ limit }) => limit !== null)
    .toSorted((a, b) => (usedShare(b) ?? 0) - (usedShare(a) ?? 0))
    .slice(0, shownLimits)

const ofKey = ({ id, name, lastFour, limits }: LimitedKey): NearLimit[] =>
  limits.map((limit) => ({ ...limit, key: { id, name, lastFour } }))
