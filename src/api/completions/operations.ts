import { named } from '../../http/schema/schema.ts'
import { post, withKey } from '../operation.ts'
import { completionsBody } from './request/completions-body.ts'
import { textCompletionSchema } from './response-schema.ts'

export const completionsOperations = {
  createCompletion: post(
    '/completions',
    withKey('chat'),
    'Continues a text without a chat template, returned as JSON or as a stream. For new applications use chat completions.',
    {
      body: named('CreateCompletion', completionsBody),
      isForModel: true,
      answer: named('TextCompletion', textCompletionSchema),
      event: named('TextCompletionChunk', textCompletionSchema),
    },
  ),
}
