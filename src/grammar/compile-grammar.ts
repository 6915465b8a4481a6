import type { Grammar, GrammarNode } from './grammar.ts'
import { isNullable, leftRecursiveRule, nullableRules, ruleOf } from './grammar-analysis.ts'
import { GrammarRefused } from './grammar-refused.ts'
import { buildTerminal, type Terminal } from './terminal.ts'
import { trimGrammar } from './trim-grammar.ts'

/** A grammar prepared for matching: names become links, and everything that reads bytes is a small automaton. */
export type Part =
  | Terminal
  | { kind: 'sequence'; id: number; parts: Part[] }
  | { kind: 'choice'; id: number; parts: Part[] }
  | { kind: 'repeat'; id: number; part: Part; min: number; max: number | null }
  | { kind: 'rule'; id: number; name: string }

export type CompiledGrammar = { root: Part; rules: Map<string, Part> }

/** Counts occupy the lower bits of a number, next to the part number. */
export const countLimit = 2 ** 26

export const compileGrammar = (grammar: Grammar): CompiledGrammar => {
  const trimmed = trimGrammar(grammar)
  if (trimmed === null) throw new GrammarRefused('the grammar allows no text')
  const nullable = nullableRules(trimmed)
  const circle = leftRecursiveRule(trimmed, nullable)
  if (circle !== null) throw new GrammarRefused(`the rule '${circle}' begins with itself`)

  let parts = 0
  const nextId = (): number => {
    parts += 1
    return parts
  }
  const compile = (node: GrammarNode): Part => {
    switch (node.type) {
      case 'text':
      case 'class':
        return buildTerminal(nextId(), [node])
      case 'sequence':
        return { kind: 'sequence', id: nextId(), parts: node.of.map(compile) }
      case 'choice':
        return compileChoice(node.of)
      case 'repeat': {
        if (node.min >= countLimit) throw new GrammarRefused(`${node.min} repetitions are too many`)
        const skips = isNullable(node.of, nullable)
        return {
          kind: 'repeat',
          id: nextId(),
          part: compile(node.of),
          // Rounds that read nothing may count towards the minimum.
          min: skips ? 0 : node.min,
          max: node.max === null ? null : Math.min(node.max, countLimit - 1),
        }
      }
      case 'rule':
        return { kind: 'rule', id: nextId(), name: node.name }
    }
  }
  /** Texts and characters share one automaton, so a list of thousands of words costs one step per byte. */
  const compileChoice = (nodes: GrammarNode[]): Part => {
    const simple = nodes.filter((node) => node.type === 'text' || node.type === 'class')
    const others = nodes.filter((node) => node.type !== 'text' && node.type !== 'class').map(compile)
    if (simple.length > 0) others.push(buildTerminal(nextId(), simple))
    return others.length === 1 && others[0] !== undefined ? others[0] : { kind: 'choice', id: nextId(), parts: others }
  }

  const rules = new Map<string, Part>()
  for (const name of Object.keys(trimmed.rules)) rules.set(name, compile(ruleOf(trimmed, name)))
  return { root: { kind: 'rule', id: nextId(), name: trimmed.root }, rules }
}
