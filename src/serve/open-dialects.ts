import { createChatDialect } from '../api/chat-completions/chat-dialect.ts'
import { openRequestReader } from '../api/chat-completions/request/request-reader.ts'
import { createCompletionsDialect } from '../api/completions/completions-dialect.ts'
import { openCompletionsRequestReader } from '../api/completions/request/completions-request-reader.ts'
import { createMessagesDialect } from '../api/messages/messages-dialect.ts'
import { openMessagesRequestReader } from '../api/messages/request/messages-request-reader.ts'
import { openTokenRequestReader } from '../api/tokenize/request/token-request-reader.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import type { CompletionRecords } from '../store/contract.ts'
import type { Closers } from './closers.ts'

type DialectsOptions = { config: Config; clock: Clock; completions: CompletionRecords; closers: Closers }

/** The dialects of the endpoints that generate text, with the threads that read large requests. */
export const openDialects = ({ config, clock, completions, closers }: DialectsOptions) => {
  const opened = <Reader extends { close(): Promise<void> }>(reader: Reader): Reader => {
    closers.add(() => reader.close())
    return reader
  }
  const { bodyLimitBytes } = config
  const messagesReader = opened(openMessagesRequestReader({ bodyLimitBytes, clock }))
  return {
    chat: createChatDialect({ reader: opened(openRequestReader({ bodyLimitBytes, clock })), completions, clock }),
    completions: createCompletionsDialect(opened(openCompletionsRequestReader({ bodyLimitBytes, clock }))),
    messages: createMessagesDialect(messagesReader),
    messagesReader,
    tokenReader: opened(openTokenRequestReader({ bodyLimitBytes, clock })),
  }
}
