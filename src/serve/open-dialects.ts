import type { ApiBodyReaders } from '../api/bodies/api-body-readers.ts'
import { createChatDialect } from '../api/chat-completions/chat-dialect.ts'
import { createCompletionsDialect } from '../api/completions/completions-dialect.ts'
import { createMessagesDialect } from '../api/messages/messages-dialect.ts'
import type { Clock } from '../base/clock.ts'
import type { CompletionRecords } from '../store/contract.ts'

type DialectsOptions = { clock: Clock; completions: CompletionRecords; readers: ApiBodyReaders }

/** The dialects of the endpoints that generate text, except that of responses. */
export const openDialects = ({ clock, completions, readers }: DialectsOptions) => ({
  chat: createChatDialect({ reader: readers.reader('chat'), completions, clock }),
  completions: createCompletionsDialect(readers.reader('completions')),
  messages: createMessagesDialect(readers.reader('messages')),
})
