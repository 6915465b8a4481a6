import { charClass, choice, empty, type Grammar, type GrammarNode, repeat, sequence, text } from './grammar.ts'
import { countParts } from './grammar-analysis.ts'
import { type PatternOption, parsePattern } from './parse-pattern.ts'
import { PatternRefused } from './pattern-refused.ts'
import { trimGrammar } from './trim-grammar.ts'

/** Maximum characters before and after a pattern that is not anchored. */
const maxSurroundings = 1_000

/** The texts that a pattern matches completely, with or without anchors. Throws `PatternRefused`. */
export const regexGrammar = (pattern: string): Grammar => {
  const grammar = { root: 'root', rules: { root: oneOf(parsePattern(pattern), ({ node }) => node) } }
  const trimmed = trimGrammar(grammar)
  if (trimmed === null) throw new PatternRefused('it matches no text')
  return trimmed
}

/** The texts that contain a match of a pattern, as in JSON Schema. Throws `PatternRefused`. */
export const searchNode = (pattern: string): GrammarNode => {
  const around = repeat(charClass([0, 0x10ffff]), 0, maxSurroundings)
  return oneOf(parsePattern(pattern), ({ node, fromStart, toEnd }) =>
    fromStart && toEnd ? node : sequence(fromStart ? empty : around, node, toEnd ? empty : around),
  )
}

/** The same limit as for a schema. */
const maxChoiceParts = 200_000

export const choiceGrammar = (choices: readonly string[]): Grammar => {
  if (choices.length === 0) throw new PatternRefused('there is nothing to choose from')
  const root = choice(...new Set(choices).values().map(text))
  if (countParts(root) > maxChoiceParts) throw new PatternRefused('the choices are too long in total')
  return { root: 'root', rules: { root } }
}

const oneOf = (options: PatternOption[], read: (option: PatternOption) => GrammarNode): GrammarNode => {
  const [first, ...others] = options.map(read)
  return first !== undefined && others.length === 0 ? first : choice(...options.map(read))
}
