import type { ApiBodyReaders } from '../api/bodies/api-body-readers.ts'
import { createChatDialect } from '../api/chat-completions/chat-dialect.ts'
import { createCompletionsDialect } from '../api/completions/completions-dialect.ts'
import { createMessagesDialect } from '../api/messages/messages-dialect.ts'
import type { Clock } from '../base/clock.ts'
import type { CompletionRecords } from '../store/contract.ts'
import type { OpenEndpoint } from './open-generation.ts'

type DialectsOptions = { clock: Clock; completions: Pick<CompletionRecords, 'insert'>; readers: ApiBodyReaders }

/** The endpoints that generate text, except responses: what the routes of these names need. */
export const openDialects = (openEndpoint: OpenEndpoint, { clock, completions, readers }: DialectsOptions) => ({
  chatCompletions: openEndpoint(createChatDialect({ reader: readers.reader('chat'), completions, clock })),
  completions: openEndpoint(createCompletionsDialect(readers.reader('completions'))),
  messages: openEndpoint(createMessagesDialect(readers.reader('messages'))),
})
