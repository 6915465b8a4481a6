import { useEffect, useState } from 'react'
import { useWords } from '../words-context.tsx'
import { useToast } from './toasts.tsx'

/** How long "Copied" is shown. */
const shownMs = 2000

/** Copies text; `isCopied` for the two seconds after. Where the browser refuses, a line says what to do. */
export const useCopy = (): { isCopied: boolean; copy(text: string): Promise<boolean> } => {
  const [isCopied, setCopied] = useState(false)
  const { shell } = useWords()
  const toast = useToast()
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return {
    isCopied,
    async copy(text) {
      try {
        await navigator.clipboard.writeText(text)
      } catch {
        toast(shell.copyFailed)
        return false
      }
      setCopied(true)
      return true
    },
  }
}
