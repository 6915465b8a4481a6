import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import type { Language, LanguageCode } from '../../languages/language.ts'

/**
 * The languages, as the folders of `languages/` declare them: a new folder is a new language, and no list has to name it.
 * The site's scripts find the same folders with Vite (`site/words/languages.ts`).
 */
const folder = new URL('../../languages/', import.meta.url)

/** Where no other is asked for or known. It gives the words of the others their shape. */
export const defaultLanguage: LanguageCode = 'en'

/** The default first, then by code. */
export const languageCodes: readonly LanguageCode[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort((one, other) => Number(other === defaultLanguage) - Number(one === defaultLanguage) || (one < other ? -1 : 1))

/** `.ts` in a clone, `.js` in a release. */
const extension = extname(import.meta.url)

/** A file of a language's folder. */
export const importLanguageFile = (code: LanguageCode, file: string): Promise<unknown> =>
  import(new URL(`${code}/${file}${extension}`, folder).href)

const readLanguage = async (code: LanguageCode): Promise<Language> => {
  const { language } = declaring(await importLanguageFile(code, 'language'))
  if (language.code !== code) throw new Error(`languages/${code}/language.ts declares the code ${language.code}`)
  return language
}

/** The compiler has checked the file, which names the type. */
const declaring = (file: unknown) => file as { language: Language }

export const languages: readonly Language[] = await Promise.all(languageCodes.map(readLanguage))
