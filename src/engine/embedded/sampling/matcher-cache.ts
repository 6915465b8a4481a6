import { createHash } from 'node:crypto'
import { createByteCache } from '../../../base/byte-cache.ts'
import { createMatcher, type Matcher } from '../../../grammar/matcher.ts'
import { type PackedGrammar, unpackGrammar } from '../../../grammar/packed-grammar.ts'

/** Matchers that were used recently, with the states they have explored. Answers may share one. */
export interface MatcherCache {
  /** Scopes share nothing, so that the time it takes does not reveal which grammars others use. */
  get(scope: string, grammar: PackedGrammar): Matcher
}

const limitBytes = 64 * 1024 * 1024
/** Estimates: what the explored states take, and how much larger a grammar is than its packed form. */
const stateBytes = 8 * 1024 * 1024
const unpackedFactor = 16

export const unpackMatcher = (grammar: PackedGrammar): Matcher => createMatcher(unpackGrammar(grammar))

export const createMatcherCache = (): MatcherCache => {
  const known = createByteCache<Matcher>(limitBytes)
  return {
    get(scope, grammar) {
      const key = createHash('sha256').update(scope).update('\0').update(grammar).digest('base64')
      const matcher = known.get(key) ?? unpackMatcher(grammar)
      known.set(key, matcher, stateBytes + unpackedFactor * grammar.length)
      return matcher
    },
  }
}
