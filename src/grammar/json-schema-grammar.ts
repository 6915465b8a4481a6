import { checkStrictSubset } from './check-strict-subset.ts'
import { Disjointness } from './disjoint-schemas.ts'
import { joinFacets } from './facets.ts'
import { choice, type Grammar, type GrammarNode, nothing, rule } from './grammar.ts'
import { leftRecursiveRule, nullableRules } from './grammar-analysis.ts'
import type { GrammarBuilder } from './grammar-builder.ts'
import { createGrammarRules, type GrammarBudget, newGrammarBudget } from './grammar-rules.ts'
import { anyValue, jsonRules } from './json-text.ts'
import { type Branches, createUnfolder, mustFit, type Obligations, type Unfolder } from './obligations.ts'
import { anything, createSchemaDocument, never } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'
import { trimGrammar } from './trim-grammar.ts'
import { valueGrammar } from './value-grammar.ts'

/** Every branch of `oneOf` is compared with every other. */
const maxOneOf = 100

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
  const rules = createGrammarRules(options.budget ?? newGrammarBudget())
  const { walk, spend, define, share, reserve } = rules
  const ruleNames = new Map<string, string>()
  const pending: { name: string; obligations: Obligations }[] = []
  const obligationsKey = createObligationsKey()

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
  const builder: GrammarBuilder = { document, strict: options.strict, fitting, define, share, reserve, spend, walk }
  const unfolder = createUnfolder(document, options.strict, walk)
  const disjointness = new Disjointness(builder, unfolder)

  const root = define(fitting(mustFit(document.root)))
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    rules.put(next.name, convert(builder, unfolder, disjointness, next.obligations))
  return finish({ root: root.type === 'rule' ? root.name : '', rules: { ...jsonRules, ...rules.all() } })
}

/** Obligations that differ only in their order get the same key. */
const createObligationsKey = () => {
  const numbers = new Map<object, number>()
  const objectNumber = (thing: object): number => {
    const number = numbers.get(thing) ?? numbers.size
    numbers.set(thing, number)
    return number
  }
  return ({ schemas, facets, branches }: Obligations): string =>
    [schemas, facets, branches]
      .map((list) => [...new Set(list.map(objectNumber))].sort((a, b) => a - b).join())
      .join(';')
}

const convert = (
  builder: GrammarBuilder,
  unfolder: Unfolder,
  disjointness: Disjointness,
  obligations: Obligations,
): GrammarNode => {
  const unfolded = unfolder.unfold(obligations)
  if (unfolded === null) return nothing
  const [first, ...others] = unfolded.branches
  if (first === undefined) return valueGrammar(builder, joinFacets(unfolded.facets, builder.walk))
  builder.walk(first.options.length)
  const schemas = first.options.map((option, index) =>
    builder.document.schemaAt(first.owner, option, first.keyword, `${index}`),
  )
  if (first.keyword === 'oneOf') checkOneOf(builder, disjointness, first)
  return choice(...schemas.map((one) => builder.fitting({ schemas: [one], facets: unfolded.facets, branches: others })))
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
