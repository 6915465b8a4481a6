import { useSession } from '../../session.ts'
import { useLocale } from '../../words-context.tsx'
import { limitErrorText } from './limit-error-text.ts'

export const useLimitErrorText = (error: unknown): string | null => {
  const { language, words } = useLocale()
  const { currency } = useSession()
  return limitErrorText(error, { language, words, currency })
}
