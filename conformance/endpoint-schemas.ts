/**
 * The answers of the endpoints beside chat completions and responses, as the pinned official libraries declare them. Objects
 * have no properties but the declared ones.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTypeSchemas, type TypeSchema } from './type-schemas.ts'

const resources = (library: string): string =>
  dirname(fileURLToPath(import.meta.resolve(`${library}/resources/models`)))

/** By the name in the library, behind the name of its file. */
export const readEndpointSchemas = (base: string): Record<string, TypeSchema> => {
  const anthropic = resources('@anthropic-ai/sdk')
  const openai = resources('openai')
  const schemas = readTypeSchemas(
    [
      { path: join(anthropic, 'shared.d.ts'), prefix: 'Errors', names: {} },
      { path: join(anthropic, 'messages/messages.d.ts'), prefix: 'Messages', names: { MessagesAPI: 'Messages' } },
      { path: join(anthropic, 'models.d.ts'), prefix: 'Models', names: {} },
      { path: join(openai, 'completions.d.ts'), prefix: 'Completions', names: { CompletionsAPI: 'Completions' } },
      { path: join(openai, 'responses/input-tokens.d.ts'), prefix: 'InputTokens', names: {} },
    ],
    base,
  )
  // The library uses one type for both, but in a chunk these are null until the end.
  const { 'Completions.Completion': completion = {}, 'Completions.CompletionChoice': choice = {} } = schemas
  schemas['Completions.ChunkChoice'] = orNull(choice, 'finish_reason')
  schemas['Completions.Chunk'] = {
    ...orNull(completion, 'usage'),
    properties: {
      ...orNull(completion, 'usage').properties,
      choices: { type: 'array', items: { $ref: `${base}Completions.ChunkChoice` } },
    },
  }
  // The library requires it, but the service leaves it out where there are none, and other clients refuse null.
  const { 'Messages.TextBlock': text = {} } = schemas
  schemas['Messages.TextBlock'] = { ...text, required: text.required?.filter((name) => name !== 'citations') ?? [] }
  return schemas
}

const orNull = (schema: TypeSchema, name: string): TypeSchema => ({
  ...schema,
  properties: { ...schema.properties, [name]: { anyOf: [schema.properties?.[name] ?? {}, { type: 'null' }] } },
})
