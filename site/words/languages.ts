import type { Language } from '../../languages/language.ts'

/** The folders of `languages/`, as the server finds them too (`src/languages/languages.ts`): English first, then by code. */
const declared = import.meta.glob<Language>('../../languages/*/language.ts', { eager: true, import: 'language' })

const isEnglish = ({ code }: Language): number => Number(code === 'en')

export const languages: readonly Language[] = Object.values(declared).sort(
  (one, other) => isEnglish(other) - isEnglish(one) || (one.code < other.code ? -1 : 1),
)

export const findLanguage = (code: string): Language => {
  const found = languages.find((language) => language.code === code) ?? languages[0]
  if (found === undefined) throw new Error('there is no folder in languages/')
  return found
}

/** The server sends each page in one language and says so in `lang`; the choice travels back in a cookie. */
export const pageLanguage = (): Language => findLanguage(document.documentElement.lang)
