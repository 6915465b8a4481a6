import { limitErrorText } from '../../../app/pages/limits/limit-error-text.ts'
import { pageOfLimit } from '../../../app/pages/limits/page-of-limit.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { pageLanguage } from '../../../words/languages.ts'
import { loadWords } from '../../../words/load-words.ts'
import { textElement } from './text-element.ts'

/**
 * What the console says about an error, with its link. Null for errors about the request itself, which only the server's
 * message explains.
 */
export const explainRefusal = async (
  error: PlatformError,
  platform: Platform,
): Promise<(string | HTMLElement)[] | null> => {
  const { status, limit } = error
  if (status >= 400 && status < 500 && status !== 401 && status !== 429) return null
  const language = pageLanguage()
  const words = await loadWords(language.code, 'console')
  const currency = limit === null ? '' : (await platform.showSession()).currency
  const text = limitErrorText(error, { language, words, currency }) ?? errorText(error, words.errors)
  if (limit === null) return [text]
  const href = pageOfLimit(limit)
  const link = textElement('a', href === '/limits' ? words.errors.toLimits : words.errors.toRequests)
  link.href = href
  return [`${text} `, link]
}
