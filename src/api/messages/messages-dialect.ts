import { newId } from '../../base/ids.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import type { Dialect } from '../generation/dialect.ts'
import { openMessagesFormatter } from './messages-formatter.ts'
import type { readMessagesRequest } from './request/read-messages-request.ts'

/** `POST /v1/messages`, with the requests and answers of Anthropic's API. */
export const createMessagesDialect = (reader: ReaderOf<typeof readMessagesRequest>): Dialect => ({
  endpoint: 'messages',
  reader,
  newAnswerId: () => newId('msg'),
  // `max_tokens` is required, and clients send the most that the models of that API can generate.
  lowersTokenLimit: true,
  openFormatter: (_, answer) => openMessagesFormatter(answer),
})
