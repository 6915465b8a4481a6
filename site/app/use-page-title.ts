import { useEffect } from 'react'
import { useWords } from './words-context.tsx'

/** The name of the page in the browser's tab. */
export const usePageTitle = (page: string): void => {
  const { shell } = useWords()
  useEffect(() => {
    document.title = shell.title(page)
  }, [shell, page])
}
