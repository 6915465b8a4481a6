import type { Language } from '../../../../src/site-server/pages.ts'
import type { ShownLimit } from '../../../platform/limit-types.ts'
import type { Words } from '../../../words/words.ts'
import { momentText } from '../../time/moments.ts'

/** When all of it is free again: seconds for what passes within a minute, a moment for budgets. */
export const resetText = (
  { used, resetsAt }: Pick<ShownLimit, 'used' | 'resetsAt'>,
  now: number,
  language: Language,
  { limits }: Pick<Words, 'limits'>,
): string => {
  if (used === 0) return limits.allFree
  if (resetsAt === null) return limits.whenDone
  const ms = resetsAt - now
  if (ms <= 0) return limits.allFree
  return ms <= 60_000 ? limits.inSeconds(Math.ceil(ms / 1000)) : momentText(resetsAt, language)
}
