/**
 * The Responses API as the pinned `openai` library declares it. Its description of the service is larger than the whole of
 * chat completions, so the schemas are read from the types of the library instead of a copy.
 */
import { fileURLToPath } from 'node:url'
import { readTypeSchemas, type TypeSchema } from './type-schemas.ts'

const base = '#/components/schemas/'
const pathOf = (module: string): string => fileURLToPath(import.meta.resolve(module)).replace(/\.m?js$/, '.d.ts')

type Content = Record<string, { schema: TypeSchema }>
type Operation = { requestBody?: { content: Content }; responses: Record<string, { content: Content }> }

export const readResponseSchemas = (): {
  schemas: Record<string, TypeSchema>
  paths: Record<string, Record<string, Operation>>
} => {
  const names = { Shared: 'Shared', ResponsesAPI: 'Responses' }
  const schemas = readTypeSchemas(
    [
      { path: pathOf('openai/resources/shared'), prefix: 'Shared', names: {} },
      { path: pathOf('openai/resources/responses/responses'), prefix: 'Responses', names },
      { path: pathOf('openai/resources/responses/input-items'), prefix: 'InputItems', names },
    ],
    base,
  )
  // The library adds it.
  const { 'Responses.Response': response = {} } = schemas
  delete response.properties?.output_text
  response.required = response.required?.filter((name) => name !== 'output_text') ?? []
  // Deltas are padded if the request asks for it; the library passes that on without declaring it.
  for (const [name, schema] of Object.entries(schemas))
    if (name.endsWith('DeltaEvent') && schema.properties) schema.properties.obfuscation = { type: 'string' }
  // The library ignores the body.
  schemas.DeletedResponse = {
    type: 'object',
    properties: { id: { type: 'string' }, object: { const: 'response' }, deleted: { const: true } },
    required: ['id', 'object', 'deleted'],
    additionalProperties: false,
  }
  return {
    schemas,
    paths: {
      '/responses': {
        post: operation('Responses.Response', { body: 'Responses.ResponseCreateParamsBase', isStream: true }),
      },
      '/responses/{response_id}': {
        get: operation('Responses.Response', { isStream: true }),
        delete: operation('DeletedResponse'),
      },
      '/responses/{response_id}/cancel': { post: operation('Responses.Response') },
      '/responses/{response_id}/input_items': { get: operation('InputItems.ResponseItemList') },
    },
  }
}

const referring = (name: string): { schema: TypeSchema } => ({ schema: { $ref: `${base}${name}` } })

const operation = (
  answer: string,
  { body, isStream = false }: { body?: string; isStream?: boolean } = {},
): Operation => ({
  ...(body === undefined ? {} : { requestBody: { content: { 'application/json': referring(body) } } }),
  responses: {
    200: {
      content: {
        'application/json': referring(answer),
        ...(isStream ? { 'text/event-stream': referring('Responses.ResponseStreamEvent') } : {}),
      },
    },
  },
})
