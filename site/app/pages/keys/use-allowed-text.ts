import { useQuery } from '@tanstack/react-query'
import type { LimitName } from '../../../../src/platform/contract/limits.ts'
import { usePlatform } from '../../app-state.ts'
import { useWords } from '../../words-context.tsx'
import { useLimitFigures } from '../limits/use-limit-figures.ts'
import { readNamedLimit } from './key-draft.ts'
import { keysQuery } from './keys-query.ts'

/** What the organisation allows, under the field of a key's limit; and that more than this has no effect. */
export const useAllowedText = (): ((name: LimitName, typed: string) => string | undefined) => {
  const { keys } = useWords()
  const { figure } = useLimitFigures()
  const { data } = useQuery(keysQuery(usePlatform()))
  return (name, typed) => {
    const max = data?.organisation.uses[name]?.limit
    if (max === undefined) return undefined
    const limit = readNamedLimit(name, typed)
    const allowed = figure(name, max)
    return typeof limit === 'number' && limit > max ? keys.aboveAllowed(allowed) : keys.allowed(allowed)
  }
}
