import type { Grammar } from './grammar.ts'
import { jsonRules } from './json-text.ts'
import { trimGrammar } from './trim-grammar.ts'

/** One JSON object with any content. */
export const anyObjectGrammar = (): Grammar => {
  const grammar = { root: 'object', rules: jsonRules }
  return trimGrammar(grammar) ?? grammar
}
