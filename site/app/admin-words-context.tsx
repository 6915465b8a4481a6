import { Outlet } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { Language, LanguageCode } from '../../languages/language.ts'
import type { AdminWords, Words } from '../../languages/words.ts'
import { loadWords } from '../words/load-words.ts'
import { useLocale as usePlainLocale } from './words-context.tsx'

type AdminLocale = { language: Language; words: Words & AdminWords }
const AdminWordsContext = createContext<AdminLocale | null>(null)

/** Pages for administrators, with their words, which the route has loaded. Another language brings its own. */
export const AdminPages = ({ first }: { first: { code: LanguageCode; words: AdminWords } }) => {
  const { language, words } = usePlainLocale()
  const [loaded, setLoaded] = useState(first)
  useEffect(() => {
    if (loaded.code === language.code) return
    let isWanted = true
    void loadWords(language.code, 'admin').then(
      (next) => isWanted && setLoaded({ code: language.code, words: next }),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [language, loaded.code])
  const value = useMemo(() => ({ language, words: { ...words, ...loaded.words } }), [language, words, loaded.words])
  return (
    <AdminWordsContext value={value}>
      <Outlet />
    </AdminWordsContext>
  )
}

/** As `useLocale` of the other pages, with the words of these. */
export const useLocale = (): AdminLocale => {
  const locale = useContext(AdminWordsContext)
  if (locale === null) throw new Error('the words for administrators are loaded with their pages only')
  return locale
}

export const useWords = (): AdminLocale['words'] => useLocale().words
