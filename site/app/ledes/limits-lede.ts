import type { Words } from '../../../languages/words.ts'
import type { LimitsShown } from '../../../src/platform/contract/limits.ts'
import { limitNameText, usedShare } from '../pages/limits/limit-words.ts'
import type { Lede } from './lede.ts'

const nearShare = 0.8

/** Whether anything is near its limit, in one sentence. */
export const limitsLede = (shown: LimitsShown, { limits }: Pick<Words, 'limits'>): Lede => {
  const all = [...shown.organisation, ...shown.server, ...shown.keys.flatMap((key) => key.limits)]
  const shares = all.flatMap((limit) => {
    const share = usedShare(limit)
    return share === null ? [] : [{ name: limitNameText(limit.name, { limits }), share }]
  })
  const [fullest] = shares.sort((a, b) => b.share - a.share)
  if (fullest === undefined) return [{ strong: limits.unlimitedLede }]
  const { name, share } = fullest
  const percent = Math.floor(share * 100)
  if (share >= 1) return [{ strong: limits.overLede(name) }]
  if (share >= nearShare) return [{ strong: limits.nearLede(name, percent) }]
  const calm = { strong: limits.calmLede }
  return percent === 0 ? [calm] : [calm, ' ', { muted: limits.fullest(name, percent) }]
}
