/**
 * The official OpenAPI document, prepared for validating bodies. The file is kept as published; this module corrects
 * the few places that contradict the official service's answers, each with its reason.
 */
import { readFileSync } from 'node:fs'
import { readResponseSchemas } from './response-schemas.ts'

type JsonSchema = { [keyword: string]: unknown; properties?: Record<string, JsonSchema> }
type Content = Record<string, { schema: JsonSchema }>
type Operation = { requestBody?: { content: Content }; responses: Record<string, { content: Content }> }
type OfficialDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

export const readOfficialSchemas = (): OfficialDocument => {
  const published: OfficialDocument = JSON.parse(
    readFileSync(new URL('./openai-chat.schemas.json', import.meta.url), 'utf8'),
  )
  const { schemas } = published.components
  const { ChatCompletionResponseMessage: message = {}, CreateChatCompletionResponse: completion = {} } = schemas

  // The documented examples of stored completions have `tool_calls: null` and `function_call: null`.
  const { tool_calls: toolCalls = {}, function_call: functionCall = {} } = message.properties ?? {}
  schemas.StoredMessage = withProperties(message, {
    tool_calls: orNull(toolCalls),
    function_call: orNull(functionCall),
  })
  schemas.StoredCompletion = referringTo(completion, 'StoredMessage')
  const byId = published.paths['/chat/completions/{completion_id}'] ?? {}
  for (const operation of [byId.get, byId.post]) setAnswer(operation, 'StoredCompletion')

  // A stored completion has the messages of the request, so they have every role.
  schemas.SentMessage = withProperties(schemas.StoredMessage, { role: { type: 'string' } })
  schemas.SentMessageList = referringTo(schemas.ChatCompletionMessageList ?? {}, 'SentMessage')
  setAnswer(published.paths['/chat/completions/{completion_id}/messages']?.get, 'SentMessageList')
  schemas.StoredCompletionList = JSON.parse(
    JSON.stringify(schemas.ChatCompletionList).replace('/CreateChatCompletionResponse"', '/StoredCompletion"'),
  )
  setAnswer(published.paths['/chat/completions']?.get, 'StoredCompletionList')

  // An empty list has neither a first nor a last item.
  for (const name of ['SentMessageList', 'StoredCompletionList']) {
    const edge = orNull({ type: 'string' })
    schemas[name] = withProperties(schemas[name] ?? {}, { first_id: edge, last_id: edge })
  }
  const responses = readResponseSchemas()
  Object.assign(published.paths, responses.paths)
  for (const [name, schema] of Object.entries(responses.schemas)) {
    if (name in schemas) throw new Error(`Two official schemas are called ${name}`)
    schemas[name] = schema
  }
  return published
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

const withProperties = (schema: JsonSchema, properties: Record<string, JsonSchema>): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, ...properties },
})

/** The same schema for messages of another kind. */
const referringTo = (schema: JsonSchema, message: string): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('/ChatCompletionResponseMessage"', `/${message}"`))

const setAnswer = (operation: Operation | undefined, name: string): void => {
  const content = operation?.responses['200']?.content['application/json']
  if (content === undefined) throw new Error(`The official document has no place for ${name}`)
  content.schema = { $ref: `#/components/schemas/${name}` }
}
