import { isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { wrongType } from '../../../http/schema/problem.ts'
import { boolean, oneOf, string } from '../../../http/schema/scalars.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import type { AnswerFormat } from '../../generation/request/generation-request.ts'

/** `text.format`, as the response repeats it. */
export type TextFormatJson =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema'
      name: string
      description?: string
      schema: Record<string, unknown>
      strict: boolean
    }

const anyObject: Schema<Record<string, unknown>> = schema({ type: 'object' }, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  return value
})

const schemaFields = object({
  type: oneOf('json_schema'),
  name: string({ pattern: '^[a-zA-Z0-9_-]+$', maxLength: 64 }),
  description: optional(nullable(string())),
  schema: anyObject,
  strict: optional(nullable(boolean)),
})

export const textFormat: Schema<TextFormatJson> = byField('type', {
  text: object({ type: oneOf('text') }),
  json_object: object({ type: oneOf('json_object') }),
  json_schema: schema(schemaFields.json, (value): TextFormatJson => {
    const { type, name, description, schema: wanted, strict } = schemaFields(value)
    return { type, name, ...(description ? { description } : {}), schema: wanted, strict: strict ?? false }
  }),
})

export const formatField = 'text.format'

export const toAnswerFormat = (format: TextFormatJson): AnswerFormat | null => {
  if (format.type === 'text') return null
  if (format.type === 'json_object') return { source: { type: 'object' } }
  const { name, description, schema: wanted, strict } = format
  const place = `response_format '${name}'`
  return {
    source: { type: 'schema', schema: wanted, strict, place, param: `${formatField}.schema` },
    name,
    ...(description === undefined ? {} : { description }),
  }
}
