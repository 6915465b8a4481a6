import type { ApiStyle } from '../../http/api-style.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { KeyCaller, Route } from '../../http/route.ts'
import type { GenerationHandler } from '../generation/generation-handler.ts'
import { createPromptHandler, type PromptDependencies } from '../generation/prompt-handler.ts'
import type { RecordRefusal } from '../generation/record-refusal.ts'
import { checkVersion } from './check-version.ts'
import { createCountTokens } from './count-tokens.ts'
import type { MessagesRequestReader } from './request/messages-request-reader.ts'

type MessagesRoutesOptions = {
  handle: GenerationHandler
  onError: RecordRefusal
  style: ApiStyle
  reader: Pick<MessagesRequestReader, 'read'>
  prompts: PromptDependencies
}

/** The endpoints of Anthropic's API for messages. */
export const createMessagesRoutes = ({ handle, onError, style, reader, prompts }: MessagesRoutesOptions): Route[] => {
  const route = (path: string, answer: (exchange: Exchange, caller: KeyCaller) => Promise<void>): Route => ({
    method: 'POST',
    path,
    access: 'key',
    scope: 'chat',
    style,
    onError,
    handle(exchange, caller) {
      checkVersion(exchange)
      return answer(exchange, caller)
    },
  })
  return [
    route('/v1/messages', handle),
    route('/v1/messages/count_tokens', createPromptHandler(createCountTokens(reader), prompts)),
  ]
}
