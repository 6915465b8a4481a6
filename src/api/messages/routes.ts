import type { ApiStyle } from '../../http/api-style.ts'
import type { Route } from '../../http/route.ts'
import type { GenerationHandler } from '../generation/generation-handler.ts'
import type { RecordRefusal } from '../generation/record-refusal.ts'
import { checkVersion } from './check-version.ts'
import { type CountTokensDependencies, createCountTokens } from './count-tokens.ts'

type MessagesRoutesOptions = Pick<CountTokensDependencies, 'models' | 'limiter' | 'reader' | 'clock'> & {
  handle: GenerationHandler
  onError: RecordRefusal
  style: ApiStyle
  config: Pick<CountTokensDependencies, 'bodyLimitBytes' | 'generationTimeoutMs'>
}

/** The endpoints of Anthropic's API for messages. */
export const createMessagesRoutes = (options: MessagesRoutesOptions): Route[] => {
  const { handle, onError, style, config, models, limiter, reader, clock } = options
  const { bodyLimitBytes, generationTimeoutMs } = config
  return [
    {
      method: 'POST',
      path: '/v1/messages',
      access: 'key',
      scope: 'chat',
      style,
      onError,
      handle(exchange, caller) {
        checkVersion(exchange)
        return handle(exchange, caller)
      },
    },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      access: 'key',
      scope: 'chat',
      style,
      onError,
      handle: createCountTokens({ models, limiter, reader, clock, bodyLimitBytes, generationTimeoutMs }),
    },
  ]
}
