import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { limitNames } from '../../../../src/store/limit-names.ts'
import { PlatformError, type RefusingLimit } from '../../../platform/platform-error.ts'
import { wholeText } from '../../figures.ts'
import { clockText } from '../../time/exact-moment.ts'
import { daysUntil, momentText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { limitNameText } from './limit-words.ts'
import { useLimitFigures } from './use-limit-figures.ts'

/** Which limit refused a request and when it would be accepted, in the reader's language and time; null for other errors. */
export const useLimitErrorText = (error: unknown): string | null => {
  const { language, words } = useLocale()
  const { figure } = useLimitFigures()
  if (!(error instanceof PlatformError) || error.limit === null) return null
  const { errors, requests } = words
  const { scope, limit, used } = error.limit
  const whose = requests.whose[scope]
  const time = error.limit.resetsAt === null ? null : timeText(error.limit.resetsAt, Date.now(), language)
  const name = nameOf(error.limit)
  if (name === null)
    return `${errors.tooManyRefused(whose, wholeText(limit, language))}${time === null ? '' : errors.freeAt(time)}`
  const shown = limitNameText(name, words)
  if (error.code === 'insufficient_quota')
    return `${errors.budgetReached(whose, shown, figure(name, used), figure(name, limit))}${time === null ? '' : errors.resetsAt(time)}`
  if (time === null && name !== 'requestsInFlight') return errors.requestAboveLimit(whose, shown, figure(name, limit))
  return `${errors.limitReached(whose, shown, figure(name, limit))}${time === null ? errors.freeWhenDone : errors.freeAt(time)}`
}

const nameOf = ({ name }: RefusingLimit): LimitName | null => limitNames.find((each) => each === name) ?? null

const timeText = (ms: number, now: number, language: 'en' | 'ja'): string =>
  daysUntil(ms, now) === 0 ? clockText(ms, language) : momentText(ms, language)
