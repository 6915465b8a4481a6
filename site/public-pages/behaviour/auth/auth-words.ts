import { pageLanguage } from '../../../preferences/language.ts'
import type { AuthWords } from '../../../words/auth/auth-words.ts'
import { en } from '../../../words/auth/en.ts'
import { ja } from '../../../words/auth/ja.ts'
import { errors as errorsEn } from '../../../words/en/errors.ts'
import { errors as errorsJa } from '../../../words/ja/errors.ts'
import type { Words } from '../../../words/words.ts'

/** The words of this page's language. */
export const authWords: AuthWords = pageLanguage() === 'ja' ? ja : en
export const errorWords: Words['errors'] = pageLanguage() === 'ja' ? errorsJa : errorsEn
