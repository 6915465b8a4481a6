import { createHash } from 'node:crypto'
import { createByteCache } from '../../../base/byte-cache.ts'
import type { CompiledGrammar } from '../../../grammar/compiled-grammar.ts'
import { createMatcher, type Matcher } from '../../../grammar/matcher.ts'

/** Matchers that were used recently, with the states they have explored. Answers may share one. */
export interface MatcherCache {
  /** Scopes share nothing, so that the time it takes does not reveal which grammars others use. */
  get(scope: string, grammar: CompiledGrammar): Matcher
}

const limitBytes = 64 * 1024 * 1024
/** An estimate of what the explored states take. */
const stateBytes = 8 * 1024 * 1024
export const createMatcherCache = (): MatcherCache => {
  const known = createByteCache<Matcher>(limitBytes)
  return {
    get(scope, grammar) {
      const key = createHash('sha256').update(scope).update('\0').update(grammar).digest('base64')
      const matcher = known.get(key) ?? createMatcher(grammar)
      known.set(key, matcher, stateBytes + grammar.length)
      return matcher
    },
  }
}
