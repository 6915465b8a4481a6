import { ApiError } from '../../base/api-error.ts'
import type { Conversation, NativeResponses, Sampling } from '../contract.ts'
import type { AnsweringUpstream } from './answering-upstream.ts'
import { fittingLimit } from './fitting-limit.ts'
import { withoutEncrypted } from './responses/responses-body.ts'
import { UpstreamStatus } from './upstream-status.ts'

export type Asked = { conversation: Conversation; sampling: Sampling }

/**
 * What the upstream would accept: another token limit; chat completions, if it has no Responses API after all; or the conversation without
 * reasoning that another provider has encrypted, as after a failover. Throws the refusal if it has another reason.
 */
export const acceptedRequest = (
  refused: ApiError,
  { name, log }: AnsweringUpstream,
  { conversation, sampling }: Asked,
  native: NativeResponses | null,
): Asked => {
  if (conversation.rawPrompt !== undefined && hasNoEndpoint(refused))
    throw ApiError.of('raw_prompt_unsupported', { model: name }, { param: 'model', cause: refused })
  if (native?.builtInTools.length === 0 && hasNoEndpoint(refused)) {
    log.warn('upstream_without_responses', { model: name })
    const { native: _, ...translated } = conversation
    return { conversation: translated, sampling }
  }
  const readable = native !== null && refusesEncrypted(refused) ? withoutEncrypted(native) : null
  if (readable !== null) return { conversation: { ...conversation, native: readable }, sampling }
  const maxTokens = fittingLimit(refused, sampling)
  if (maxTokens === null) throw refused
  return { conversation, sampling: { ...sampling, maxTokens } }
}

/** Only the provider that has encrypted it can read it. */
const refusesEncrypted = ({ errorName, message }: ApiError): boolean =>
  errorName === 'upstream_refused' && /encrypted.?content/i.test(message)

/** It has no `/completions`. An unknown model, which is the operator's mistake, is a 404 too at some upstreams. */
const hasNoEndpoint = ({ options: { cause } }: ApiError): boolean =>
  cause instanceof UpstreamStatus && (cause.status === 404 || cause.status === 405 || cause.status === 501)
