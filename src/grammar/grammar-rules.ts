import { type GrammarNode, nothing, rule } from './grammar.ts'
import { countParts } from './grammar-analysis.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Maximum parts of the finished grammar. Schemas that refer to each other can grow far beyond their own size. */
const maxParts = 200_000
/** Maximum compilation steps: at most a fraction of a second. */
const maxSteps = 2_000_000

/** Remaining budget for grammars. All schemas of a request share it, so many cost no more than a large one. */
export type GrammarBudget = { parts: number; steps: number }
export const newGrammarBudget = (): GrammarBudget => ({ parts: maxParts, steps: maxSteps })

/** The rules of a grammar while they are written, within a budget. */
export const createGrammarRules = (budget: GrammarBudget) => {
  const rules = new Map<string, GrammarNode>()
  const shared = new Map<string, GrammarNode>()

  const walk = (steps: number): void => {
    budget.steps -= steps
    if (budget.steps < 0) throw new SchemaRefused([], 'the schema is too complex.')
  }
  const spend = (parts: number): void => {
    budget.parts -= parts
    if (budget.parts < 0) throw new SchemaRefused([], 'the schema is too complex.')
  }
  /** Later passes visit every part several times, so every part counts: an integer range has a hundred. */
  const put = (name: string, node: GrammarNode): void => {
    spend(countParts(node))
    rules.set(name, node)
  }
  const reserve = (): { node: GrammarNode; fill(node: GrammarNode): void } => {
    const name = `r${rules.size}`
    rules.set(name, nothing)
    spend(1)
    return { node: rule(name), fill: (node) => put(name, node) }
  }
  const define = (node: GrammarNode): GrammarNode => {
    const { node: reference, fill } = reserve()
    fill(node)
    return reference
  }
  const share = (key: string, make: () => GrammarNode): GrammarNode => {
    const known = shared.get(key) ?? define(make())
    shared.set(key, known)
    return known
  }
  return { walk, spend, put, reserve, define, share, all: () => Object.fromEntries(rules) }
}
