import type { Language } from '../../../../languages/language.ts'
import type { Words } from '../../../../languages/words.ts'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { PlatformError, type RefusingLimit } from '../../../platform/platform-error.ts'
import { bytesText, moneyText, wholeText } from '../../figures.ts'
import { clockText } from '../../time/exact-moment.ts'
import { daysUntil, momentText } from '../../time/moments.ts'
import { isCostLimit, limitNameText } from './limit-words.ts'

export type Reader = { language: Language; words: Pick<Words, 'errors' | 'limits' | 'requests'>; currency: string }

/**
 * Which limit refused a request, or that the queue did, and when it would be accepted, in the reader's language and time;
 * null for other errors.
 */
export const limitErrorText = (error: unknown, reader: Reader): string | null => {
  if (!(error instanceof PlatformError)) return null
  const { code, limit, retryAt } = error
  const time = (ms: number | null): string => (ms === null ? '' : timeText(ms, reader.language))
  if (code === 'queue_full' || code === 'queue_timeout') return reader.words.errors[code](time(retryAt))
  if (limit === null) return null
  return refusalText(limit, code === 'insufficient_quota', time(limit.resetsAt), reader)
}

const refusalText = (refusing: RefusingLimit, isBudget: boolean, time: string, reader: Reader): string => {
  const { language, words } = reader
  const { errors, requests } = words
  const { name, scope, used } = refusing
  if (name === 'bodyBytesInFlight' || scope === 'owner' || scope === 'address') {
    const max = bytesText(refusing.limit, language)
    return `${scope === 'address' ? errors.bodiesOfAddress(max) : errors.bodiesOfOwner(max)}${errors.freeWhenDone}`
  }
  const whose = requests.whose[scope]
  const free = time === '' ? '' : errors.freeAt(time)
  if (name === 'refusedRequestsPerMinute')
    return `${errors.tooManyRefused(whose, wholeText(refusing.limit, language))}${free}`
  const shown = limitNameText(name, words)
  const limit = figure(name, refusing.limit, reader)
  if (isBudget)
    return `${errors.budgetReached(whose, shown, figure(name, used, reader), limit)}${time === '' ? '' : errors.resetsAt(time)}`
  if (refusing.requested > refusing.limit) return errors.requestAboveLimit(whose, shown, limit)
  return `${errors.limitReached(whose, shown, limit)}${time === '' ? errors.freeWhenDone : free}`
}

const figure = (name: LimitName, value: number, { language, currency }: Reader): string =>
  isCostLimit(name) ? moneyText(value, currency, language) : wholeText(value, language)

const timeText = (ms: number, language: Language): string =>
  daysUntil(ms, Date.now()) === 0 ? clockText(ms, language) : momentText(ms, language)
