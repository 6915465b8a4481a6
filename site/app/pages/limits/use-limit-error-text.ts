import { useEffect, useState } from 'react'
import { PlatformError } from '../../../platform/platform-error.ts'
import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'

/**
 * Null for other errors, and until the sentences are there: they are loaded with the first refusal. The server has just
 * answered, so it can be reached; if it no longer can, the general sentence stays.
 */
export const useLimitErrorText = (error: unknown): string | null => {
  const { language, words, isComplete, complete } = useLocale()
  const { currency } = useSession()
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setText(null)
    const load = async (): Promise<void> => {
      // They name limits with words of other pages. Once these are there, this runs again.
      if (!isComplete) return complete()
      const { limitErrorText } = await import('./limit-error-text.ts')
      if (isCurrent) setText(limitErrorText(error, { language, words, currency }))
    }
    if (isRefusal(error)) load().catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [error, language, words, isComplete, complete, currency])
  return text
}

const isRefusal = (error: unknown): boolean =>
  error instanceof PlatformError && (error.status === 429 || error.status === 503)
