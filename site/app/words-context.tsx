import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Language } from '../../languages/language.ts'
import type { Words } from '../../languages/words.ts'
import { rememberLanguage } from '../preferences/language.ts'
import type { Spoken, SpokenWords } from './spoken-words.ts'

type Locale = Spoken & { speak(language: Language): Promise<void>; complete(): Promise<void> }
const WordsContext = createContext<Locale | null>(null)

type WordsProviderProps = { spokenWords: SpokenWords; children: ReactNode }

export const WordsProvider = ({ spokenWords, children }: WordsProviderProps) => {
  const spoken = useSyncExternalStore(spokenWords.listen, spokenWords.current, spokenWords.current)
  const value = useMemo(
    () => ({
      ...spoken,
      complete: spokenWords.complete,
      async speak(next: Language) {
        await spokenWords.speak(next)
        document.documentElement.lang = next.code
        rememberLanguage(next.code)
      },
    }),
    [spoken, spokenWords],
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

/** For what the frame or the playground shows with words of other pages: shown once they are loaded. */
export const WithAllWords = ({ children }: { children: ReactNode }) => {
  const { isComplete, complete } = useLocale()
  useEffect(() => {
    if (!isComplete) void complete().catch(() => {})
  }, [isComplete, complete])
  return isComplete ? children : null
}
