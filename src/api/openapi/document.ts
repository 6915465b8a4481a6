import { version } from '../../base/version.ts'
import { isObject } from '../../http/schema/containers.ts'
import type { JsonSchema } from '../../http/schema/schema.ts'
import { operationJson, schemaTitle } from '../../operations/openapi-operation.ts'
import { errorResponses, errorSchema, reference } from '../../operations/openapi-parts.ts'
import { describeFields } from './describe-fields.ts'
import { operations } from './operations.ts'

/** The OpenAPI 3.1 document, generated from the schemas of requests and responses. */
export type OpenapiDocument = ReturnType<typeof openapiDocument>

/** `strictRequests`: the setting, which says whether unknown fields of requests to models are refused. */
export const openapiDocument = (origin: string, { strictRequests }: { strictRequests: boolean }) => ({
  openapi: '3.1.0',
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  info: {
    title: 'Helix',
    version,
    description: 'An OpenAI-compatible chat completions API.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: `${origin}/v1` }],
  security: [{ key: [] }],
  paths: pathItems(),
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: componentSchemas(strictRequests),
    responses: errorResponses(),
  },
})

/** Paths are relative to the base URL, which ends in `/v1`. */
const pathItems = (): Record<string, Record<string, JsonSchema>> => {
  const items: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/^\/v1/, '')
    items[path] = {
      ...items[path],
      [operation.method.toLowerCase()]: operationJson(operation.id, operation, { refer }),
    }
  }
  return items
}

/** Every body, answer and event is a named component; the schemas inside are written inline. */
const refer = (json: JsonSchema): JsonSchema => reference(schemaTitle(json))

const componentSchemas = (strictRequests: boolean): Record<string, JsonSchema> => {
  const schemas: Record<string, JsonSchema> = { Error: describeFields(errorSchema.json, 'Error') }
  const add = ({ title, ...json }: JsonSchema, written: (json: JsonSchema) => JsonSchema = (same) => same): void => {
    schemas[String(title)] = describeFields(written(json), String(title))
  }
  for (const { body, isForModel, answer, otherAnswer, event, error } of operations) {
    if (body !== undefined) add(body.json, isForModel && !strictRequests ? withUnknownFields : undefined)
    for (const { json } of [answer, otherAnswer, error].filter((each) => each !== undefined)) add(json)
    // Where errors have another form, they are among the events.
    if (event !== undefined)
      add(event.json, error === undefined ? (json) => ({ anyOf: [json, errorSchema.json] }) : undefined)
  }
  return schemas
}

/** The same schema, allowing unknown fields at every level. A value may then match several alternatives. */
const withUnknownFields = (json: JsonSchema): JsonSchema => {
  const opened = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(opened)
    if (!isObject(value)) return value
    const entries = Object.entries(value).filter(([key, item]) => key !== 'additionalProperties' || item !== false)
    return Object.fromEntries(entries.map(([key, item]) => [key === 'oneOf' ? 'anyOf' : key, opened(item)]))
  }
  const description = 'Unknown fields are ignored, and the response header x-helix-ignored-fields lists them.'
  return { description, ...Object(opened(json)) }
}
