import { ApiError } from '../../base/api-error.ts'
import type { EngineEvent } from '../contract.ts'
import type { Failure, RequestMessage } from './protocol.ts'

/** Only tokens, those of the prompt too, and vectors are followed by more. */
export const isLast = (message: RequestMessage): boolean =>
  message.type === 'vectors' ? message.isLast : message.type !== 'token' && message.type !== 'prompt'

export const tokenEvent = ({ token, bytes, logprob }: RequestMessage & { type: 'token' }): EngineEvent =>
  logprob ? { type: 'token', id: token, bytes, logprob } : { type: 'token', id: token, bytes }

export const asApiError = (failure: Failure): ApiError => {
  switch (failure.kind) {
    case 'template_refused':
      return ApiError.of('template_refused', { reason: failure.reason }, { param: 'messages', cpuMs: failure.cpuMs })
    case 'queue_full':
      return ApiError.of('queue_full', {}, { retryAfterMs: 1000 })
    case 'engine_failed':
      return ApiError.of('engine_failed', {}, { cause: failure.detail })
  }
}
