import type { Language } from '../../../../languages/language.ts'
import type { Words } from '../../../../languages/words.ts'
import type { ShownLimit } from '../../../../src/platform/contract/limits.ts'
import { momentText } from '../../time/moments.ts'

/** When the limit resets: in seconds for limits per minute, as a date and time for budgets. */
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
