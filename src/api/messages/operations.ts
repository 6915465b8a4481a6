import { named } from '../../http/schema/schema.ts'
import { post, withKey } from '../operation.ts'
import { countedMessagesBody, messagesBody } from './request/messages-body.ts'
import { messageErrorSchema, messageEventSchema, messageSchema, tokenCountSchema } from './response-schema.ts'
import { versionHeader } from './version-header.ts'

const error = named('MessageError', messageErrorSchema)
const headers = [versionHeader('A date. All versions have the same requests and answers here.')]

export const messageOperations = {
  createMessage: post(
    '/messages',
    withKey('chat'),
    "Creates a message for a conversation, with the requests, answers and errors of Anthropic's API.",
    {
      headers,
      body: named('CreateMessage', messagesBody),
      isForModel: true,
      answer: named('Message', messageSchema),
      event: named('MessageEvent', messageEventSchema),
      error,
    },
  ),
  countMessageTokens: post(
    '/messages/count_tokens',
    withKey('chat'),
    'Counts the tokens of the prompt that a message would be created from. Nothing is generated or billed.',
    {
      headers,
      body: named('CountMessageTokens', countedMessagesBody),
      isForModel: true,
      answer: named('MessageTokenCount', tokenCountSchema),
      error,
    },
  ),
}
