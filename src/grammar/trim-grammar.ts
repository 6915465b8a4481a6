import { empty, type Grammar, type GrammarNode, nothing } from './grammar.ts'
import { isProductive, mentionedRules, productiveRules, ruleOf } from './grammar-facts.ts'

/**
 * The same texts without the parts that lead nowhere, so that whatever a matcher allows can be brought to an end. Null
 * where no text at all is left.
 */
export const trimGrammar = (grammar: Grammar): Grammar | null => {
  const productive = productiveRules(grammar)
  if (!productive.has(grammar.root)) return null
  const rules: [string, GrammarNode][] = []
  const seen = new Set([grammar.root])
  for (const name of seen) {
    const node = trimNode(ruleOf(grammar, name), productive)
    rules.push([name, node])
    for (const next of mentionedRules(node)) seen.add(next)
  }
  return { root: grammar.root, rules: Object.fromEntries(rules) }
}

const trimNode = (node: GrammarNode, productive: ReadonlySet<string>): GrammarNode => {
  if (!isProductive(node, productive)) return nothing
  switch (node.type) {
    case 'sequence':
      return { type: 'sequence', of: node.of.map((part) => trimNode(part, productive)) }
    case 'choice': {
      const of = node.of.filter((part) => isProductive(part, productive)).map((part) => trimNode(part, productive))
      return of.length === 1 && of[0] !== undefined ? of[0] : { type: 'choice', of }
    }
    case 'repeat':
      return isProductive(node.of, productive) ? { ...node, of: trimNode(node.of, productive) } : empty
    default:
      return node
  }
}
