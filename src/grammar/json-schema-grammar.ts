import { checkStrictSubset } from './check-strict-subset.ts'
import { createDisjointness, type Disjointness } from './disjoint-schemas.ts'
import { joinFacets } from './facets.ts'
import { choice, type Grammar, type GrammarNode, nothing, rule } from './grammar.ts'
import { countParts, leftRecursiveRule, nullableRules } from './grammar-analysis.ts'
import type { GrammarBuilder } from './grammar-builder.ts'
import { anyValue, jsonRules } from './json-text.ts'
import { type Branches, createUnfolder, mustFit, type Obligations, type Unfolder } from './obligations.ts'
import { anything, createSchemaDocument, never } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'
import { trimGrammar } from './trim-grammar.ts'
import { valueGrammar } from './value-grammar.ts'

/** Maximum parts of the finished grammar. Schemas that refer to each other can grow far beyond their own size. */
const maxParts = 200_000
/** Every branch of `oneOf` is compared with every other. */
const maxOneOf = 100

/** Maximum compilation steps: at most a fraction of a second. */
const maxSteps = 2_000_000

/** Remaining budget for grammars. All schemas of a request share it, so many cost no more than a large one. */
export type GrammarBudget = { parts: number; steps: number }
export const newGrammarBudget = (): GrammarBudget => ({ parts: maxParts, steps: maxSteps })

type GrammarOptions = {
  /** Keywords and formats that are not known are refused, because they could not be enforced. */
  strict: boolean
  /** A strict schema must be in the subset that the official service accepts; otherwise it is enforced as it is written. */
  isOfficialOnly?: boolean
  budget?: GrammarBudget
}

/**
 * The JSON texts of values that fit a schema (2020-12), but not all of them: keys follow the order of the schema, and
 * if a keyword cannot be followed exactly, some fitting values are left out. Throws `SchemaRefused` for a schema that
 * is invalid, allows nothing, or limits values in a way that cannot be enforced: no limit is ever ignored.
 */
export const jsonSchemaGrammar = (schema: unknown, options: GrammarOptions): Grammar => {
  const document = createSchemaDocument(schema)
  if (options.strict && options.isOfficialOnly) checkStrictSubset(document)
  const rules = new Map<string, GrammarNode>()
  const ruleNames = new Map<string, string>()
  const pending: { name: string; obligations: Obligations }[] = []
  const numbers = new Map<object, number>()
  const shared = new Map<string, GrammarNode>()
  const { budget = newGrammarBudget() } = options

  const walk = (steps: number): void => {
    budget.steps -= steps
    if (budget.steps < 0) throw new SchemaRefused([], 'the schema is too complex.')
  }
  const spend = (parts: number): void => {
    budget.parts -= parts
    if (budget.parts < 0) throw new SchemaRefused([], 'the schema is too complex.')
  }
  const unfolder = createUnfolder(document, options.strict, walk)
  /** Later passes visit every part several times, so every part counts: an integer range has a hundred. */
  const put = (name: string, node: GrammarNode): void => {
    spend(countParts(node))
    rules.set(name, node)
  }
  const reserve: GrammarBuilder['reserve'] = () => {
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
  const share: GrammarBuilder['share'] = (key, make) => {
    const known = shared.get(key) ?? define(make())
    shared.set(key, known)
    return known
  }
  const objectNumber = (thing: object): number => {
    const number = numbers.get(thing) ?? numbers.size
    numbers.set(thing, number)
    return number
  }
  const obligationsKey = ({ schemas, facets, branches }: Obligations): string =>
    [schemas, facets, branches]
      .map((list) => [...new Set(list.map(objectNumber))].sort((a, b) => a - b).join())
      .join(';')

  const fitting = (obligations: Obligations): GrammarNode => {
    const { schemas, facets, branches } = obligations
    walk(1 + schemas.length + facets.length + branches.length)
    if (schemas.includes(never)) return nothing
    if (facets.length + branches.length === 0 && schemas.every((one) => one === anything)) return anyValue
    const key = obligationsKey(obligations)
    const known = ruleNames.get(key)
    if (known !== undefined) return rule(known)
    const name = `v${ruleNames.size}`
    ruleNames.set(key, name)
    pending.push({ name, obligations })
    spend(1 + facets.length + branches.length)
    return rule(name)
  }
  const shop: GrammarBuilder = { document, strict: options.strict, fitting, define, share, reserve, spend, walk }
  const disjointness = createDisjointness(shop, unfolder)

  const root = define(fitting(mustFit(document.root)))
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    put(next.name, convert(shop, unfolder, disjointness, next.obligations))
  return finish({ root: root.type === 'rule' ? root.name : '', rules: { ...jsonRules, ...Object.fromEntries(rules) } })
}

const convert = (
  shop: GrammarBuilder,
  unfolder: Unfolder,
  disjointness: Disjointness,
  obligations: Obligations,
): GrammarNode => {
  const unfolded = unfolder.unfold(obligations)
  if (unfolded === null) return nothing
  const [first, ...others] = unfolded.branches
  if (first === undefined) return valueGrammar(shop, joinFacets(unfolded.facets, shop.walk))
  shop.walk(first.options.length)
  const schemas = first.options.map((option, index) =>
    shop.document.schemaAt(first.owner, option, first.keyword, `${index}`),
  )
  if (first.keyword === 'oneOf') checkOneOf(shop, disjointness, first)
  return choice(...schemas.map((one) => shop.fitting({ schemas: [one], facets: unfolded.facets, branches: others })))
}

/** `oneOf` forbids values that fit two branches, so it is only supported if no value can. */
const checkOneOf = ({ document }: GrammarBuilder, disjointness: Disjointness, { owner, options }: Branches): void => {
  if (options.length > maxOneOf)
    throw new SchemaRefused(document.schemaPath(owner), `'oneOf' has more than ${maxOneOf} branches; use 'anyOf'.`)
  const each = options.map((option, index) => mustFit(document.schemaAt(owner, option, 'oneOf', `${index}`)))
  for (const [index, a] of each.entries())
    for (const b of each.slice(index + 1))
      if (!disjointness.areDisjoint(a, b))
        throw new SchemaRefused(
          document.schemaPath(owner),
          `'oneOf' is only permitted when its branches exclude each other; use 'anyOf'.`,
        )
}

const finish = (grammar: Grammar): Grammar => {
  const trimmed = trimGrammar(grammar)
  if (trimmed === null) throw new SchemaRefused([], 'the schema allows no value.')
  if (leftRecursiveRule(trimmed, nullableRules(trimmed)) !== null)
    throw new SchemaRefused([], 'the schema contains an infinite recursion.')
  return trimmed
}
