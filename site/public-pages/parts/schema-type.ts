import type { PublicWords } from '../../../languages/words.ts'
import type { JsonSchema } from '../../../src/http/schema/schema.ts'

type Docs = PublicWords['docs']
type Child = { title: string | null; schema: JsonSchema }

/** The type of a schema in a few words: `integer, 1 to 128, or null`. */
export const schemaType = (schema: JsonSchema, docs: Docs): string => {
  const variants = listVariants(schema)
  if (variants.length > 0) {
    const kept = variants.filter((variant) => variant.type !== 'null' && !isRefused(variant))
    const names = [...new Set(kept.map((variant) => schemaType(variant, docs)))].join(' | ')
    return variants.some(({ type }) => type === 'null') ? docs.orNull(names) : names
  }
  if (isRefused(schema)) return docs.refused
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'array') {
    const items = schema.items === undefined ? '' : schemaType(asSchema(schema.items), docs)
    const count = bounds(schema.minItems, schema.maxItems, docs, docs.entries)
    return `${docs.listOf} ${items}${count === '' ? '' : ` (${count})`}`
  }
  const range = bounds(schema.minimum, schema.maximum, docs, noUnit)
  const length = bounds(schema.minLength, schema.maxLength, docs, docs.characters)
  const type = typeof schema.type === 'string' ? schema.type : docs.anyObject
  return [type, range, length].filter(Boolean).join(', ')
}

/** A schema's description. For a nullable field it is in the only other variant. */
export const schemaDescription = (schema: JsonSchema): string | null => {
  if (typeof schema.description === 'string') return schema.description
  const [only, ...others] = listVariants(schema).filter(({ type }) => type !== 'null')
  return only === undefined || others.length > 0 ? null : schemaDescription(only)
}

/** The objects inside a schema, each with what distinguishes it from the others. */
export const childSchemas = (schema: JsonSchema): Child[] => {
  const variants = listVariants(schema)
  if (variants.length > 0) {
    const children = variants.flatMap(childSchemas)
    return children.length > 1
      ? children.map((child) => ({ ...child, title: child.title ?? schemaTitle(child.schema) }))
      : children
  }
  if (schema.type === 'array' && schema.items !== undefined) return childSchemas(asSchema(schema.items))
  if (schema.type !== 'object') return []
  if (schema.properties !== undefined) return [{ title: null, schema }]
  // A map: every value has the same fields.
  return typeof schema.additionalProperties === 'object' ? childSchemas(asSchema(schema.additionalProperties)) : []
}

/** Variants are distinguished by a field with a single value, such as `role: "user"`. */
const schemaTitle = (schema: JsonSchema): string | null => {
  for (const [name, inner] of Object.entries(Object(schema.properties)))
    if (Array.isArray(asSchema(inner).enum))
      return `${name}: ${JSON.stringify(asSchema(inner).enum)}`.replace(/\["(.*)"\]/, '"$1"')
  return null
}

const listVariants = (schema: JsonSchema): JsonSchema[] => {
  const variants = schema.anyOf ?? schema.oneOf
  return Array.isArray(variants) ? variants.map(asSchema) : []
}

/** Nothing matches it: the server refuses what would be here. */
const isRefused = (schema: JsonSchema): boolean => schema.not !== undefined && schema.type === undefined

const bounds = (low: unknown, high: unknown, docs: Docs, say: (range: string) => string): string => {
  const least = typeof low === 'number' && low > Number.MIN_SAFE_INTEGER ? low.toLocaleString('en') : null
  const max = typeof high === 'number' && high < Number.MAX_SAFE_INTEGER ? high.toLocaleString('en') : null
  if (least !== null && max !== null) return say(docs.between(least, max))
  if (max !== null) return say(docs.upTo(max))
  if (least === null || least === '0') return ''
  return say !== noUnit && least === '1' ? docs.notEmpty : say(docs.atLeast(least))
}

/** Numbers have none, so that "at least 1" does not become "not empty". */
const noUnit = (range: string): string => range

/** A schema inside a schema of our own document is always an object. */
const asSchema = (value: unknown): JsonSchema => value as JsonSchema
