import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Language } from '../../languages/language.ts'
import type { Words } from '../../languages/words.ts'
import { rememberLanguage } from '../preferences/language.ts'
import { loadWords } from '../words/load-words.ts'

type Locale = { language: Language; words: Words; speak(language: Language): Promise<void> }
const WordsContext = createContext<Locale | null>(null)

type WordsProviderProps = { language: Language; words: Words; children: ReactNode }

export const WordsProvider = ({ language, words, children }: WordsProviderProps) => {
  const [spoken, setSpoken] = useState({ language, words })
  const value = useMemo(
    () => ({
      ...spoken,
      async speak(next: Language) {
        const loaded = await loadWords(next.code, 'console')
        document.documentElement.lang = next.code
        rememberLanguage(next.code)
        setSpoken({ language: next, words: loaded })
      },
    }),
    [spoken],
  )
  return <WordsContext value={value}>{children}</WordsContext>
}

export const useLocale = (): Locale => {
  const spoken = useContext(WordsContext)
  if (spoken === null) throw new Error('there are no words outside of WordsProvider')
  return spoken
}

/** The words of the page in the reader's language. */
export const useWords = (): Words => useLocale().words
