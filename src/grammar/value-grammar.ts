import { arrayGrammar } from './array-grammar.ts'
import { allowsType, type Facets, type JsonType, jsonType } from './facets.ts'
import { numberFormats } from './format-patterns.ts'
import { choice, type GrammarNode, text } from './grammar.ts'
import { type GrammarBuilder, refuseAt } from './grammar-builder.ts'
import { anyValue } from './json-text.ts'
import { literalGrammar } from './literal-grammar.ts'
import { numberFits, numberGrammar } from './number-grammar.ts'
import { objectGrammar } from './object-grammar.ts'
import { stringGrammar, stringTest } from './string-grammar.ts'

/** Keywords that apply only to values of one type. */
const keywordsByType = new Map<JsonType, string[]>([
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
])

const keywordCount = [...keywordsByType.values()].flat().length

export const valueGrammar = (builder: GrammarBuilder, facets: Facets): GrammarNode => {
  // The cost of looking up every keyword in every source.
  builder.walk(keywordCount * facets.sources.length)
  if (facets.literals !== null) return literals(builder, facets, facets.literals)
  const types = facets.types ?? impliedTypes(facets)
  if (types === null) return anyValue
  return choice(...[...types].map((type) => ofType(builder, facets, types, type)))
}

const ofType = (
  builder: GrammarBuilder,
  { sources }: Facets,
  types: ReadonlySet<JsonType>,
  type: JsonType,
): GrammarNode => {
  switch (type) {
    case 'null':
      return text('null')
    case 'boolean':
      return choice(text('true'), text('false'))
    case 'string':
      return stringGrammar(builder, sources)
    case 'number':
      return numberGrammar(builder, sources, false)
    case 'integer':
      return types.has('number') ? choice() : numberGrammar(builder, sources, true)
    case 'array':
      return arrayGrammar(builder, sources)
    case 'object':
      return objectGrammar(builder, sources)
  }
}

/**
 * A schema with property keywords but no type allows every non-object value, but intends objects. Null if it implies no
 * type at all.
 */
const impliedTypes = ({ sources }: Facets): ReadonlySet<JsonType> | null => {
  const types = new Set<JsonType>()
  for (const source of sources)
    for (const [type, keywords] of keywordsByType)
      for (const keyword of keywords)
        if (Object.hasOwn(source, keyword)) {
          const isNumeric = keyword === 'format' && numberFormats.has(String(source.format))
          types.add(isNumeric ? 'number' : type)
        }
  return types.size === 0 ? null : types
}

const literals = (builder: GrammarBuilder, { sources, types }: Facets, values: readonly unknown[]): GrammarNode => {
  builder.spend(values.length)
  const stringFits = values.some((value) => typeof value === 'string') ? stringTest(builder, sources) : () => true
  const fitting = values.filter((value) => {
    const type = jsonType(value)
    if (types !== null && !allowsType(types, type)) return false
    if (typeof value !== 'string') builder.walk(keywordCount * sources.length)
    if (typeof value === 'number') return numberFits(sources, value)
    if (typeof value === 'string') return stringFits(value)
    const keyword = keywordsByType.get(type)?.find((name) => sources.some((source) => Object.hasOwn(source, name)))
    if (keyword !== undefined)
      throw refuseAt(builder, sources, keyword, `'${keyword}' cannot be enforced together with 'enum' or 'const'.`)
    return true
  })
  return choice(...fitting.map(literalGrammar))
}
