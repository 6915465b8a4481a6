import { isRecord, type RawSchema, type SchemaDocument } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'

const maxProperties = 5_000
const maxNesting = 10

/** The official service's rules for a schema with `strict: true`, in its wording, so that errors look the same. */
export const checkStrictSubset = ({ root }: SchemaDocument): void => {
  checkRoot(root)
  let properties = 0
  const visit = (schema: unknown, context: string[], nesting: number): void => {
    if (!isRecord(schema)) return
    if (nesting > maxNesting)
      throw new SchemaRefused(context, `the schema exceeds the limit of ${maxNesting} levels of nesting.`)
    const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
    if (types.includes('object') || schema.properties !== undefined) checkObject(schema, context)
    const inner = isRecord(schema.properties) ? Object.entries(schema.properties) : []
    properties += inner.length
    if (properties > maxProperties)
      throw new SchemaRefused([], `the schema exceeds the limit of ${maxProperties} properties.`)
    for (const [name, property] of inner) visit(property, [...context, 'properties', name], nesting + 1)
    visit(schema.items, [...context, 'items'], nesting + 1)
    for (const keyword of ['prefixItems', 'anyOf', 'oneOf', 'allOf']) {
      const list: unknown[] = Array.isArray(schema[keyword]) ? schema[keyword] : []
      const deeper = keyword === 'prefixItems' ? 1 : 0
      for (const [index, item] of list.entries()) visit(item, [...context, keyword, `${index}`], nesting + deeper)
    }
    for (const keyword of ['$defs', 'definitions']) {
      const definitions = isRecord(schema[keyword]) ? schema[keyword] : {}
      for (const [name, item] of Object.entries(definitions)) visit(item, [...context, keyword, name], 0)
    }
  }
  visit(root, [], 0)
}

const checkRoot = (root: RawSchema): void => {
  if (root.type !== 'object') {
    const type =
      root.type === undefined ? 'None' : typeof root.type === 'string' ? root.type : JSON.stringify(root.type)
    throw new SchemaRefused([], `schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`)
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'enum', 'not'])
    if (root[keyword] !== undefined)
      throw new SchemaRefused(
        [],
        `schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`,
      )
}

const checkObject = (schema: RawSchema, context: string[]): void => {
  if (schema.additionalProperties !== false)
    throw new SchemaRefused(context, `'additionalProperties' is required to be supplied and to be false.`)
  const declared = new Set(isRecord(schema.properties) ? Object.keys(schema.properties) : [])
  const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : [])
  const rule = `'required' is required to be supplied and to be an array including every key in properties.`
  const missing = [...declared].find((name) => !required.has(name))
  if (missing !== undefined) throw new SchemaRefused(context, `${rule} Missing '${missing}'.`)
  const extra = [...required].find((name) => typeof name === 'string' && !declared.has(name))
  if (extra !== undefined) throw new SchemaRefused(context, `${rule} Extra required key '${extra}' supplied.`)
}
