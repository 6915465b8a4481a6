import { countedResponsesBody, responsesBody } from '../responses/request/responses-body.ts'
import {
  deletedResponseSchema,
  inputItemPageSchema,
  inputTokensSchema,
  responseEventSchema,
  responseSchema,
} from '../responses/response-schema.ts'
import { inputItemsQuery, retrieveQuery } from '../responses/stored/handler.ts'
import type { Operation } from './operation.ts'
import { retryHeaders } from './retry-headers.ts'

const one = '/v1/responses/{response}'
const answer = { name: 'Response', json: responseSchema.json }
const event = { name: 'ResponseEvent', json: responseEventSchema }

export const responseOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/responses',
    id: 'createResponse',
    summary: 'Creates a response to text or items, returned as JSON or as a stream.',
    headers: retryHeaders,
    body: { name: 'CreateResponse', schema: responsesBody, isForModel: true },
    answer,
    event,
    needsKey: true,
  },
  {
    method: 'POST',
    path: '/v1/responses/input_tokens',
    id: 'countInputTokens',
    summary: 'Counts the tokens of the prompt that a response would be created from. Nothing is generated or billed.',
    body: { name: 'CountInputTokens', schema: countedResponsesBody, isForModel: true },
    answer: { name: 'InputTokenCount', json: inputTokensSchema.json },
    needsKey: true,
  },
  {
    method: 'GET',
    path: one,
    id: 'getResponse',
    summary: 'Retrieves a stored response, as JSON or as the stream of its events.',
    query: retrieveQuery,
    answer,
    event,
    needsKey: true,
  },
  {
    method: 'DELETE',
    path: one,
    id: 'deleteResponse',
    summary: 'Deletes a stored response.',
    answer: { name: 'DeletedResponse', json: deletedResponseSchema.json },
    needsKey: true,
  },
  {
    method: 'POST',
    path: `${one}/cancel`,
    id: 'cancelResponse',
    summary: 'Always an error: only responses in the background could be cancelled, and there are none.',
    answer,
    needsKey: true,
  },
  {
    method: 'GET',
    path: `${one}/input_items`,
    id: 'listInputItems',
    summary: 'Lists the input items of a stored response, without those of the responses before it.',
    query: inputItemsQuery,
    answer: { name: 'InputItemPage', json: inputItemPageSchema.json },
    needsKey: true,
  },
]
