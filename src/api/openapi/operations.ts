import { errorSchema } from '../../http/openapi-parts.ts'
import { chatBody } from '../chat-completions/request/body.ts'
import { chunkSchema, completionSchema } from '../chat-completions/response-schema.ts'
import { completionsBody } from '../completions/request/completions-body.ts'
import { textCompletionSchema } from '../completions/response-schema.ts'
import { embeddingBody } from '../embeddings/request/embedding-body.ts'
import { embeddingListSchema } from '../embeddings/response-schema.ts'
import { ownKeySchema } from '../key/response-schema.ts'
import { keysQuery } from '../keys/handler.ts'
import { keyChangesBody, newKeyBody, rotateBody } from '../keys/key-body.ts'
import { deletedKeySchema, keyPageSchema, keySchema, newKeySchema } from '../keys/response-schema.ts'
import { countedMessagesBody, messagesBody } from '../messages/request/messages-body.ts'
import { messageErrorSchema, messageEventSchema, messageSchema, tokenCountSchema } from '../messages/response-schema.ts'
import { modelInfoListSchema, modelInfoSchema, modelListSchema, modelSchema } from '../models/response-schema.ts'
import { listQuery, messagesQuery, newMetadata } from '../stored-completions/handler.ts'
import {
  deletedCompletionSchema,
  messagePageSchema,
  storedCompletionPageSchema,
  storedCompletionSchema,
} from '../stored-completions/response-schema.ts'
import { detokenizeBody, tokenizeBody } from '../tokenize/request/token-bodies.ts'
import { tokenListSchema, tokenTextSchema } from '../tokenize/response-schema.ts'
import { usageQuery } from '../usage/handler.ts'
import { usageSchema } from '../usage/response-schema.ts'
import type { Operation } from './operation.ts'
import { responseOperations } from './response-operations.ts'
import { retryHeaders } from './retry-headers.ts'

const completions = '/v1/chat/completions'
const one = '/v1/chat/completions/{completion}'
const key = { name: 'ApiKey', json: keySchema.json }
const newKey = { name: 'NewApiKey', json: newKeySchema.json }
const stored = { name: 'StoredChatCompletion', json: storedCompletionSchema.json }

const messageError = { name: 'MessageError', json: messageErrorSchema.json }
const anthropicVersion = {
  name: 'anthropic-version',
  description: 'A date. All versions have the same requests and answers here.',
  json: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
}
/** `GET /v1/models` answers in the form of the API that the client uses. */
const modelHeaders = [{ ...anthropicVersion, description: "Selects the form of Anthropic's API for the answer." }]
const modelError = { name: 'ModelError', json: { anyOf: [errorSchema.json, messageErrorSchema.json] } }

/** All of them: the source of the OpenAPI document. */
export const operations: readonly Operation[] = [
  {
    method: 'POST',
    path: completions,
    id: 'createChatCompletion',
    summary: 'Creates a chat completion for a conversation, returned as JSON or as a stream.',
    headers: retryHeaders,
    body: { name: 'CreateChatCompletion', schema: chatBody, isForModel: true },
    answer: { name: 'ChatCompletion', json: completionSchema.json },
    event: { name: 'ChatCompletionChunk', json: chunkSchema.json },
    needsKey: true,
  },
  {
    method: 'GET',
    path: completions,
    id: 'listChatCompletions',
    summary: 'Lists stored chat completions.',
    query: listQuery,
    answer: { name: 'StoredChatCompletionPage', json: storedCompletionPageSchema.json },
    needsKey: true,
  },
  {
    method: 'GET',
    path: one,
    id: 'getChatCompletion',
    summary: 'Retrieves a stored chat completion.',
    answer: stored,
    needsKey: true,
  },
  {
    method: 'POST',
    path: one,
    id: 'updateChatCompletion',
    summary: 'Replaces the metadata of a stored chat completion.',
    body: { name: 'UpdateChatCompletion', schema: newMetadata },
    answer: stored,
    needsKey: true,
  },
  {
    method: 'DELETE',
    path: one,
    id: 'deleteChatCompletion',
    summary: 'Deletes a stored chat completion.',
    answer: { name: 'DeletedChatCompletion', json: deletedCompletionSchema.json },
    needsKey: true,
  },
  {
    method: 'GET',
    path: `${one}/messages`,
    id: 'listChatCompletionMessages',
    summary: 'Lists the input messages of a stored chat completion.',
    query: messagesQuery,
    answer: { name: 'ChatCompletionMessagePage', json: messagePageSchema.json },
    needsKey: true,
  },
  ...responseOperations,
  {
    method: 'POST',
    path: '/v1/completions',
    id: 'createCompletion',
    summary:
      'Continues a text without a chat template, returned as JSON or as a stream. For new applications use chat completions.',
    body: { name: 'CreateCompletion', schema: completionsBody, isForModel: true },
    answer: { name: 'TextCompletion', json: textCompletionSchema.json },
    event: { name: 'TextCompletionChunk', json: textCompletionSchema.json },
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/moderations',
    id: 'createModeration',
    summary: 'Not available: every request is refused with the reason.',
    answer: { name: 'Moderation', json: { not: {} } },
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/messages',
    id: 'createMessage',
    summary: "Creates a message for a conversation, with the requests, answers and errors of Anthropic's API.",
    headers: [anthropicVersion],
    body: { name: 'CreateMessage', schema: messagesBody, isForModel: true },
    answer: { name: 'Message', json: messageSchema.json },
    event: { name: 'MessageEvent', json: messageEventSchema.json },
    error: messageError,
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    id: 'countMessageTokens',
    summary: 'Counts the tokens of the prompt that a message would be created from. Nothing is generated or billed.',
    headers: [anthropicVersion],
    body: { name: 'CountMessageTokens', schema: countedMessagesBody, isForModel: true },
    answer: { name: 'MessageTokenCount', json: tokenCountSchema.json },
    error: messageError,
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/embeddings',
    id: 'createEmbedding',
    summary: 'Creates embeddings: a vector for each input text. Requires an embedding model.',
    body: { name: 'CreateEmbedding', schema: embeddingBody, isForModel: true },
    answer: { name: 'EmbeddingList', json: embeddingListSchema.json },
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/tokenize',
    id: 'tokenize',
    summary: 'Returns the tokens of a text, or of the prompt that a chat completion would be created from.',
    body: { name: 'Tokenize', schema: tokenizeBody, isForModel: true },
    answer: { name: 'TokenList', json: tokenListSchema.json },
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/detokenize',
    id: 'detokenize',
    summary: 'Returns the text of tokens.',
    body: { name: 'Detokenize', schema: detokenizeBody, isForModel: true },
    answer: { name: 'TokenText', json: tokenTextSchema.json },
    needsKey: true,
  },
  {
    method: 'GET',
    path: '/v1/models',
    id: 'listModels',
    summary: 'Lists the available models.',
    headers: modelHeaders,
    answer: { name: 'ModelList', json: modelListSchema.json },
    otherAnswer: { name: 'ModelInfoList', json: modelInfoListSchema.json },
    error: modelError,
    needsKey: true,
  },
  {
    method: 'GET',
    path: '/v1/models/{model}',
    id: 'getModel',
    summary: 'Retrieves a model.',
    headers: modelHeaders,
    answer: { name: 'Model', json: modelSchema.json },
    otherAnswer: { name: 'ModelInfo', json: modelInfoSchema.json },
    error: modelError,
    needsKey: true,
  },
  {
    method: 'GET',
    path: '/v1/key',
    id: 'getOwnKey',
    summary: 'Retrieves the API key used for the request, with its permissions and current limit usage.',
    answer: { name: 'OwnApiKey', json: ownKeySchema.json },
    needsKey: true,
  },
  {
    method: 'GET',
    path: '/v1/keys',
    id: 'listKeys',
    summary: 'Lists the API keys of the organisation. All key and usage operations below require a management key.',
    query: keysQuery,
    answer: { name: 'ApiKeyPage', json: keyPageSchema.json },
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/keys',
    id: 'createKey',
    summary: 'Creates an API key. Management keys cannot be created this way.',
    body: { name: 'CreateApiKey', schema: newKeyBody },
    answer: newKey,
    needsKey: true,
  },
  {
    method: 'GET',
    path: '/v1/keys/{key}',
    id: 'getKey',
    summary: 'Retrieves an API key.',
    answer: key,
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/keys/{key}',
    id: 'updateKey',
    summary: 'Updates the name, expiry, models, networks or limits of an API key.',
    body: { name: 'UpdateApiKey', schema: keyChangesBody },
    answer: key,
    needsKey: true,
  },
  {
    method: 'DELETE',
    path: '/v1/keys/{key}',
    id: 'deleteKey',
    summary: 'Revokes an API key immediately and permanently.',
    answer: { name: 'DeletedApiKey', json: deletedKeySchema.json },
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/keys/{key}/rotate',
    id: 'rotateKey',
    summary: 'Rotates an API key: issues a new secret. The old secret keeps working during the grace period.',
    body: { name: 'RotateApiKey', schema: rotateBody },
    answer: newKey,
    needsKey: true,
  },
  {
    method: 'GET',
    path: '/v1/usage',
    id: 'getUsage',
    summary: 'Retrieves the usage of the organisation, grouped by day, key or model.',
    query: usageQuery,
    answer: { name: 'Usage', json: usageSchema.json },
    needsKey: true,
  },
  {
    method: 'GET',
    path: '/v1/openapi.json',
    id: 'getOpenapi',
    summary: 'Returns this OpenAPI document.',
    answer: { name: 'OpenapiDocument', json: { type: 'object' } },
    needsKey: false,
  },
]
