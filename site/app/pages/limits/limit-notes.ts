import type { Words } from '../../../../languages/words.ts'
import type { LimitsShown } from '../../../../src/platform/contract/limits.ts'

/** What stands below the limits: which keys have none of their own, and where days and months start. */
export const limitNotes = ({ keys, unlimitedKeys, timeZone }: LimitsShown, limits: Words['limits']): string[] => [
  ...(unlimitedKeys === 0 ? [] : [keys.length === 0 ? limits.onlyUnlimitedKeys : limits.unlimitedKeys(unlimitedKeys)]),
  limits.zone(timeZone),
]
