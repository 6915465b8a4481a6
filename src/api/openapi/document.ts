import { errorCatalogue } from '../../base/error-catalogue.ts'
import { version } from '../../base/version.ts'
import { nullable, object } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import type { JsonSchema } from '../../http/schema/schema.ts'
import { type Operation, operations } from './operations.ts'

/** The OpenAPI 3.1 document, generated from the schemas of requests and responses. */
export type OpenapiDocument = ReturnType<typeof openapiDocument>

const errorSchema = object({
  error: object({
    message: string(),
    type: string(),
    param: nullable(string()),
    code: nullable(string()),
  }),
})

export const openapiDocument = (origin: string) => ({
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
    schemas: componentSchemas(),
    responses: errorResponses(),
  },
})

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

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
  event,
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
        'application/json': { schema: reference(answer.name) },
        ...(event === undefined ? {} : { 'text/event-stream': { schema: reference(event.name) } }),
      },
    },
    '4XX': { $ref: '#/components/responses/Refused' },
    '5XX': { $ref: '#/components/responses/Failed' },
  },
})

const pathParameters = (path: string): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

const headerParameter = ({ name, description, json }: NonNullable<Operation['headers']>[number]): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: json,
})

/** A query is an object of strings; a nested object is written `metadata[key]=value`. */
const queryParameters = (query: JsonSchema | undefined): JsonSchema[] => {
  const properties = query?.properties ?? {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
  }))
}

const componentSchemas = (): Record<string, JsonSchema> => {
  const schemas: Record<string, JsonSchema> = { Error: errorSchema.json }
  for (const { body, answer, event } of operations) {
    if (body !== undefined) schemas[body.name] = body.schema.json
    schemas[answer.name] = answer.json
    if (event !== undefined) schemas[event.name] = { anyOf: [event.json, errorSchema.json] }
  }
  return schemas
}

const errorResponses = (): Record<string, JsonSchema> => {
  const content = { 'application/json': { schema: reference('Error') } }
  const statuses = (isOurs: boolean) =>
    [...new Set(Object.values(errorCatalogue).map(({ status }) => status))]
      .filter((status) => status >= 500 === isOurs)
      .sort((a, b) => a - b)
      .join(', ')
  return {
    Refused: { description: `The request is invalid or not allowed (${statuses(false)}).`, content },
    Failed: { description: `The server could not complete the request (${statuses(true)}). Try again.`, content },
  }
}
