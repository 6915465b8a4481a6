import { empty, type Grammar, type GrammarNode, nothing } from './grammar.ts'
import { findRule, mentionedRules, productiveRules } from './grammar-analysis.ts'

/** The same texts without dead ends, so that everything a matcher allows can be completed. Null if no text is left. */
export const trimGrammar = (grammar: Grammar): Grammar | null => {
  const productive = productiveRules(grammar)
  if (!productive.has(grammar.root)) return null
  const rules: [string, GrammarNode][] = []
  const seen = new Set([grammar.root])
  for (const name of seen) {
    const node = trimNode(findRule(grammar, name), productive) ?? nothing
    rules.push([name, node])
    for (const next of mentionedRules(node)) seen.add(next)
  }
  return { root: grammar.root, rules: Object.fromEntries(rules) }
}

/** Null if nothing is left. */
const trimNode = (node: GrammarNode, productive: ReadonlySet<string>): GrammarNode | null => {
  switch (node.type) {
    case 'text':
      return node
    case 'class':
      return node.ranges.some(([low, high]) => low <= high) ? node : null
    case 'rule':
      return productive.has(node.name) ? node : null
    case 'sequence': {
      const of: GrammarNode[] = []
      for (const part of node.of) {
        const trimmed = trimNode(part, productive)
        if (trimmed === null) return null
        of.push(trimmed)
      }
      return { type: 'sequence', of }
    }
    case 'choice': {
      const of = node.of.flatMap((part) => trimNode(part, productive) ?? [])
      if (of.length === 0) return null
      return of.length === 1 && of[0] !== undefined ? of[0] : { type: 'choice', of }
    }
    case 'repeat': {
      if (node.max !== null && node.max < node.min) return null
      const of = trimNode(node.of, productive)
      if (of !== null) return { ...node, of }
      return node.min === 0 ? empty : null
    }
  }
}
