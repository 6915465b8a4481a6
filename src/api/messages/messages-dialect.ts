import { newId } from '../../base/ids.ts'
import type { Dialect } from '../generation/dialect.ts'
import { openMessagesFormatter } from './messages-formatter.ts'
import type { MessagesRequestReader } from './request/messages-request-reader.ts'

/** `POST /v1/messages`, with the requests and answers of Anthropic's API. */
export const createMessagesDialect = (reader: Pick<MessagesRequestReader, 'read'>): Dialect => ({
  endpoint: 'messages',
  reader,
  newAnswerId: () => newId('msg'),
  // `max_tokens` is required, and clients send the most that the models of that API can generate.
  lowersTokenLimit: true,
  openFormatter: (_, answer) => openMessagesFormatter(answer),
})
