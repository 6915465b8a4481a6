import { useQuery } from '@tanstack/react-query'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { wholeText } from '../../figures.ts'
import { useLocale } from '../../words-context.tsx'
import { readLimit } from './key-draft.ts'
import { keysQuery } from './keys-query.ts'

/** What the organisation allows, under the field of a key's limit; and that more than this has no effect. */
export const useAllowedText = (): ((name: LimitName, typed: string) => string | undefined) => {
  const { language, words } = useLocale()
  const { keys } = words
  const { data } = useQuery(keysQuery)
  return (name, typed) => {
    const most = data?.organisation.uses[name]?.limit
    if (most === undefined) return undefined
    const limit = readLimit(typed)
    const allowed = wholeText(most, language)
    return typeof limit === 'number' && limit > most ? keys.aboveAllowed(allowed) : keys.allowed(allowed)
  }
}
