import { nullable, object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { named } from '../../http/schema/schema.ts'
import { metadata, pageFields } from '../openai/lists.ts'
import { get, post, remove, withKey } from '../operation.ts'
import {
  deletedCompletionSchema,
  messagePageSchema,
  storedCompletionPageSchema,
  storedCompletionSchema,
} from './response-schema.ts'

const reader = withKey('completions.read')
const writer = withKey('completions.write')
const stored = named('StoredChatCompletion', storedCompletionSchema)

export const storedCompletionOperations = {
  listChatCompletions: get('/chat/completions', reader, 'Lists stored chat completions.', {
    query: object({ ...pageFields, model: optional(string()), metadata: optional(metadata) }),
    answer: named('StoredChatCompletionPage', storedCompletionPageSchema),
  }),
  getChatCompletion: get('/chat/completions/{completion}', reader, 'Retrieves a stored chat completion.', {
    answer: stored,
  }),
  updateChatCompletion: post(
    '/chat/completions/{completion}',
    writer,
    'Replaces the metadata of a stored chat completion.',
    { body: named('UpdateChatCompletion', object({ metadata: nullable(metadata) })), answer: stored },
  ),
  deleteChatCompletion: remove('/chat/completions/{completion}', writer, 'Deletes a stored chat completion.', {
    answer: named('DeletedChatCompletion', deletedCompletionSchema),
  }),
  listChatCompletionMessages: get(
    '/chat/completions/{completion}/messages',
    reader,
    'Lists the input messages of a stored chat completion.',
    { query: object(pageFields), answer: named('ChatCompletionMessagePage', messagePageSchema) },
  ),
}
