import type { Language } from '../../../languages/language.ts'
import type { FirstWords } from '../../../languages/words.ts'
import type { Platform } from '../../platform/platform.ts'
import { noticeLine, shownNotices } from '../notices/notice-lines.ts'
import { drawNotices } from './draw-first-words.ts'

/** Asks for the notices that stand above every page, and returns what draws them. */
export const findNotices = async (
  platform: Platform,
): Promise<(words: FirstWords, language: Language) => Node | null> => {
  const [{ currency, suspended }, list] = await Promise.all([platform.showSession(), platform.listNotices()])
  const shown = suspended ? [] : shownNotices(list)
  return (words, language) => {
    if (shown.length === 0) return null
    const lines = shown.map((notice) => noticeLine(notice, words, language, currency))
    return drawNotices(words.notices.current, lines, words.notices.more(shown.length - 1))
  }
}
