import type { Words } from '../../../languages/words.ts'
import type { Key } from '../../platform/types.ts'
import { isEnding, passes } from '../pages/keys/key-state.ts'
import { daysUntil } from '../time/moments.ts'
import type { Lede } from './lede.ts'

/** How many keys are live, and which need attention. */
export const keysLede = (all: readonly Key[], now: number, { keys }: Pick<Words, 'keys'>): Lede => {
  if (all.length === 0) return [{ strong: keys.emptyLede }]
  const live = all.filter((key) => passes(key, 'live', now))
  if (live.length === 0) return [{ strong: keys.live(0) }]
  const ending = live.filter((key) => isEnding(key, now))
  const firstEnd = Math.min(...ending.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
  const expiring =
    ending.length === 0 ? keys.nothingExpiring(live.length) : keys.expiring(ending.length, daysUntil(firstEnd, now))
  return [{ strong: keys.live(live.length) }, ' ', { muted: expiring }]
}
