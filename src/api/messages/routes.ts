import type { ApiStyle } from '../../http/api-style.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { KeyCaller } from '../../operations/callers.ts'
import { createHandledRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { RecordRefusal } from '../generation/accept/record-refusal.ts'
import type { GenerationHandler } from '../generation/generation-handler.ts'
import { createPromptHandler, type PromptDependencies } from '../generation/prompt-handler.ts'
import { createCountTokens } from './count-tokens.ts'
import { messageOperations } from './operations.ts'
import type { readMessagesRequest } from './request/read-messages-request.ts'
import { checkVersion } from './version-header.ts'

type MessagesRoutesOptions = {
  handle: GenerationHandler
  onError: RecordRefusal
  style: ApiStyle
  reader: ReaderOf<typeof readMessagesRequest>
  prompts: PromptDependencies
}

type Handle = (exchange: Exchange, caller: KeyCaller) => Promise<void>

/** The endpoints of Anthropic's API for messages. */
export const createMessagesRoutes = ({ handle, onError, style, reader, prompts }: MessagesRoutesOptions): Route[] => {
  const count = createPromptHandler(createCountTokens(reader), prompts)
  const { createMessage, countMessageTokens } = messageOperations
  return [
    createHandledRoute(createMessage, { handle: withVersion(handle), style, onError }),
    createHandledRoute(countMessageTokens, { handle: withVersion(count), style, onError }),
  ]
}

const withVersion =
  (handle: Handle): Handle =>
  (exchange, caller) => {
    checkVersion(exchange)
    return handle(exchange, caller)
  }
