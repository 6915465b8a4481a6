import type { Grammar } from '../../../grammar/grammar.ts'
import { jsonSchemaGrammar, type PartsBudget } from '../../../grammar/json-schema-grammar.ts'

/** A program sends the same few schemas with every request: their grammars are made once. */
const known = new Map<string, Grammar>()
const mostKnown = 200
const mostKeyLength = 16_384

type GrammarOptions = { strict: boolean; budget?: PartsBudget }

/** As `jsonSchemaGrammar`; a refusal is not remembered. */
export const knownSchemaGrammar = (wanted: unknown, options: GrammarOptions): Grammar => {
  const key = JSON.stringify([options.strict, wanted])
  const found = known.get(key)
  if (found !== undefined) {
    // The least used are the first in the map.
    known.delete(key)
    known.set(key, found)
    return found
  }
  const grammar = jsonSchemaGrammar(wanted, options)
  if (key.length > mostKeyLength) return grammar
  known.set(key, grammar)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  return grammar
}
