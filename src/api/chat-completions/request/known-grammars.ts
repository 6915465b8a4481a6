import type { Grammar } from '../../../grammar/grammar.ts'
import { jsonSchemaGrammar, newPartsBudget, type PartsBudget } from '../../../grammar/json-schema-grammar.ts'
import { SchemaRefused } from '../../../grammar/schema-refused.ts'

/** A program sends the same few schemas with every request: their grammars are made once. */
const known = new Map<string, { grammar: Grammar; parts: number }>()
const mostKnown = 200
const mostKeyLength = 16_384

type GrammarOptions = { strict: boolean; budget?: PartsBudget }

/** As `jsonSchemaGrammar`, and at the same price: a grammar that is known still makes the request's own larger. */
export const knownSchemaGrammar = (wanted: unknown, { strict, budget = newPartsBudget() }: GrammarOptions): Grammar => {
  const key = JSON.stringify([strict, wanted])
  const found = known.get(key)
  if (found === undefined) return makeKnown(key, wanted, { strict, budget })
  budget.parts -= found.parts
  if (budget.parts < 0) throw new SchemaRefused([], 'the schemas of the request are too complex together.')
  // The least used are the first in the map.
  known.delete(key)
  known.set(key, found)
  return found.grammar
}

/** A refusal is not remembered. */
const makeKnown = (key: string, wanted: unknown, options: Required<GrammarOptions>): Grammar => {
  const before = options.budget.parts
  const grammar = jsonSchemaGrammar(wanted, options)
  if (key.length > mostKeyLength) return grammar
  known.set(key, { grammar, parts: before - options.budget.parts })
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  return grammar
}
