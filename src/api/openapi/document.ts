import { version } from '../../base/version.ts'
import {
  errorResponses,
  errorSchema,
  failures,
  failuresAs,
  pathParameters,
  queryParameters,
  reference,
} from '../../http/openapi-parts.ts'
import { isObject } from '../../http/schema/containers.ts'
import type { JsonSchema } from '../../http/schema/schema.ts'
import type { Operation } from './operation.ts'
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
    items[path] = { ...items[path], [operation.method.toLowerCase()]: operationJson(operation) }
  }
  return items
}

const operationJson = ({
  path,
  id,
  summary,
  headers = [],
  query,
  body,
  answer,
  otherAnswer,
  event,
  error,
  needsKey,
}: Operation): JsonSchema => ({
  operationId: id,
  summary,
  ...(needsKey ? {} : { security: [] }),
  parameters: [...pathParameters(path), ...headers.map(headerParameter), ...queryParameters(query?.json)],
  ...(body === undefined
    ? {}
    : { requestBody: { required: true, content: { 'application/json': { schema: reference(body.name) } } } }),
  responses: {
    200: {
      description: 'Successful response.',
      content: {
        'application/json': { schema: answerSchema(answer.name, otherAnswer?.name) },
        ...(event === undefined ? {} : { 'text/event-stream': { schema: reference(event.name) } }),
      },
    },
    ...(error === undefined ? failures : failuresAs(error.name)),
  },
})

const answerSchema = (name: string, other: string | undefined): JsonSchema =>
  other === undefined ? reference(name) : { anyOf: [reference(name), reference(other)] }

const headerParameter = ({ name, description, json }: NonNullable<Operation['headers']>[number]): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: json,
})

const componentSchemas = (strictRequests: boolean): Record<string, JsonSchema> => {
  const schemas: Record<string, JsonSchema> = { Error: errorSchema.json }
  for (const { body, answer, otherAnswer, event, error } of operations) {
    if (body !== undefined)
      schemas[body.name] = body.isForModel && !strictRequests ? withUnknownFields(body.schema.json) : body.schema.json
    schemas[answer.name] = answer.json
    if (otherAnswer !== undefined) schemas[otherAnswer.name] = otherAnswer.json
    if (error !== undefined) schemas[error.name] = error.json
    // Where errors have another form, they are among the events.
    if (event !== undefined)
      schemas[event.name] = error === undefined ? { anyOf: [event.json, errorSchema.json] } : event.json
  }
  return schemas
}

/** The same schema with fields that it does not know, at every level. With them, a value may fit several alternatives. */
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
