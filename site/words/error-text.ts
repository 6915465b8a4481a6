import type { Words } from '../../languages/words.ts'
import { PlatformError } from '../platform/platform-error.ts'

/** What happened and what to do, in the reader's language. A code without a translation is reported as a refusal. */
export const errorText = (error: unknown, words: Words['errors']): string => {
  if (!(error instanceof PlatformError)) return words.server_fault
  if (error.code === 'too_many_attempts') return words.too_many_attempts(waitText(error.retryAfterMs, words))
  const name = error.code === 'weak_password' ? weakness(error.message, words) : error.code
  if (!isKnown(name, words)) return error.status >= 500 ? words.server_fault : words.refused
  if (name === 'queue_full' || name === 'queue_timeout') return words[name]('')
  const text = words[name]
  return typeof text === 'string' ? text : words.refused
}

/** The message names the reason in brackets: `Choose a different password (too_short): …`. */
const weakness = (message: string, words: Words['errors']): string => {
  const name = `weak_${/\((\w+)\)/.exec(message)?.[1]}`
  return isKnown(name, words) ? name : 'weak_password'
}

const isKnown = (code: string, words: Words['errors']): code is keyof Words['errors'] & string =>
  Object.hasOwn(words, code)

const waitText = (ms: number | null, words: Words['errors']): string => {
  if (ms === null || Number.isNaN(ms)) return ''
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return seconds < 90 ? words.seconds(seconds) : words.minutes(Math.ceil(seconds / 60))
}
