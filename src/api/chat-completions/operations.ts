import { named } from '../../http/schema/schema.ts'
import { retryHeaders } from '../generation/accept/retry-headers.ts'
import { post, withKey } from '../operation.ts'
import { chatBody } from './request/body.ts'
import { chunkSchema, completionSchema } from './response-schema.ts'

export const chatOperations = {
  createChatCompletion: post(
    '/chat/completions',
    withKey('chat'),
    'Creates a chat completion for a conversation, returned as JSON or as a stream.',
    {
      headers: retryHeaders,
      body: named('CreateChatCompletion', chatBody),
      isForModel: true,
      answer: named('ChatCompletion', completionSchema),
      event: named('ChatCompletionChunk', chunkSchema),
    },
  ),
}
