import type { Language } from '../../../../languages/language.ts'
import type { Words } from '../../../../languages/words.ts'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { dateWords, dayWords } from './day-words.ts'

/** One day, or from one to another; with the year, unless that is the current one. */
export const rangeText = (
  { from, to }: Pick<Usage, 'from' | 'to'>,
  now: number,
  usage: Words['usage'],
  language: Language,
): string => {
  const year = `${new Date(now).getFullYear()}-`
  const say = from.startsWith(year) && to.startsWith(year) ? dayWords : dateWords
  return from === to ? usage.onDay(say(from, language)) : usage.between(say(from, language), say(to, language))
}
