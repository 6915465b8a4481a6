import { version } from '../../base/version.ts'
import type { JsonSchema } from '../../http/schema/schema.ts'
import { operationJson } from '../../operations/openapi-operation.ts'
import { errorResponses, errorSchema, reference } from '../../operations/openapi-parts.ts'
import { platformOperations } from './operations.ts'

/** The OpenAPI 3.1 document of `/platform`, written from the schemas that read requests and type the answers. */
export const platformDocument = (origin: string) => {
  const schemas: Record<string, JsonSchema> = { Error: errorSchema.json }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Helix platform',
      version,
      description:
        'The API of the Helix site. It is not a public API: it changes together with the site. Names are in camelCase, times are Unix milliseconds, and durations are milliseconds. Errors are the same as those of the public API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin }],
    security: [{ session: [] }],
    tags: Object.keys(platformOperations).map((name) => ({ name })),
    paths: pathItems(createHoist(schemas)),
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'helix_session' } },
      schemas,
      responses: errorResponses(),
    },
  }
}

type Hoist = (json: JsonSchema) => JsonSchema

/** Replaces every named schema by a reference to a component. */
const createHoist = (schemas: Record<string, JsonSchema>): Hoist => {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within)
    return typeof value === 'object' && value !== null ? hoist({ ...value }) : value
  }
  const hoist = ({ title, ...json }: JsonSchema): JsonSchema => {
    const inner = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, within(value)]))
    if (typeof title !== 'string') return title === undefined ? inner : { ...inner, title: within(title) }
    const { description, ...component } = inner
    schemas[title] ??= component
    return { ...reference(title), ...(description === undefined ? {} : { description }) }
  }
  return hoist
}

const pathItems = (hoist: Hoist): Record<string, Record<string, JsonSchema>> => {
  const items: Record<string, Record<string, JsonSchema>> = {}
  for (const [tag, operations] of Object.entries(platformOperations))
    for (const [id, operation] of Object.entries(operations)) {
      const json = operationJson(id, operation, { refer: hoist, tag })
      items[operation.path] = { ...items[operation.path], [operation.method.toLowerCase()]: json }
    }
  return items
}
