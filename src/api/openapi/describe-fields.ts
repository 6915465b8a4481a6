import { isObject } from '../../http/schema/containers.ts'
import type { JsonSchema } from '../../http/schema/schema.ts'
import { fieldDescriptions } from './field-descriptions.ts'

/** The schema with a description of every field that `fieldDescriptions` knows and that has none of its own. */
export const describeFields = (json: JsonSchema, parent: string): JsonSchema =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key === 'properties' && isObject(value)) return [key, describeProperties(value, parent)]
      if (Array.isArray(value) && (key === 'anyOf' || key === 'oneOf'))
        return [key, value.map((variant) => describeInner(variant, parent))]
      return key === 'items' || key === 'additionalProperties' ? [key, describeInner(value, parent)] : [key, value]
    }),
  )

const describeInner = (value: unknown, parent: string): unknown =>
  isObject(value) ? describeFields(value, parent) : value

const describeProperties = (properties: JsonSchema, parent: string): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      if (!isObject(value)) return [name, value]
      const description = fieldDescriptions[`${parent}.${name}`] ?? fieldDescriptions[name]
      const described = describeFields(value, name)
      return [name, description === undefined || hasDescription(value) ? described : { ...described, description }]
    }),
  )

/** A nullable field may have it in its only other variant. */
const hasDescription = (json: JsonSchema): boolean => {
  if (typeof json.description === 'string') return true
  const variants = json.anyOf ?? json.oneOf
  const others = Array.isArray(variants) ? variants.filter(isObject).filter(({ type }) => type !== 'null') : []
  return others.length === 1 && others.every(hasDescription)
}
