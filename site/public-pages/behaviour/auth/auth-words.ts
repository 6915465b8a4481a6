import { pageLanguage } from '../../../words/languages.ts'
import { loadWords } from '../../../words/load-words.ts'

/** The words of this page's language. */
export const authWords = await loadWords(pageLanguage().code, 'auth')
export const errorWords = authWords.errors
