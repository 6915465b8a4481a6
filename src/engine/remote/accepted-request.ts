import { ApiError } from '../../base/api-error.ts'
import type { Conversation, Sampling } from '../contract.ts'
import type { AnsweringUpstream } from './answering-upstream.ts'
import { fittingLimit } from './fitting-limit.ts'
import { wantsResponses } from './responses/chat-by-responses.ts'
import { nativeFromChat, type SentResponses } from './responses/native-from-chat.ts'
import { withoutEncrypted } from './responses/responses-body.ts'
import { unfitField } from './responses/unfit-field.ts'
import { UpstreamStatus } from './upstream-status.ts'

/** `native`: as it is sent to the upstream's Responses API; null if it is sent to another one. */
export type Asked = { conversation: Conversation; sampling: Sampling; native: SentResponses | null }

/**
 * What the upstream would accept: another token limit; chat completions, if it has no Responses API after all; that API, if it refuses the
 * chat elsewhere; the conversation without reasoning that another provider has encrypted, as after a failover; or Anthropic's models before
 * adaptive thinking without an effort. Throws the refusal if it has another reason.
 */
export const acceptedRequest = (
  refused: ApiError,
  { name, dialect, builtInTools, chatByResponses, log }: AnsweringUpstream,
  asked: Asked,
): Asked => {
  const { conversation, sampling, native } = asked
  if (conversation.rawPrompt !== undefined && hasNoEndpoint(refused))
    throw ApiError.of('raw_prompt_unsupported', { model: name }, { param: 'model', cause: refused })
  if (native?.builtInTools.length === 0 && hasNoEndpoint(refused)) {
    log.warn('upstream_without_responses', { model: name })
    chatByResponses.forget()
    return { ...asked, native: null }
  }
  const readable = native !== null && refusesEncrypted(refused) ? withoutEncrypted(native) : null
  if (readable !== null) return { ...asked, native: readable }
  if (native === null && builtInTools !== null && wantsResponses(refused)) {
    const unfit = unfitField(conversation, sampling)
    if (unfit === null) return { ...asked, native: nativeFromChat(conversation, sampling) }
    throw unfitRequest(unfit, refused)
  }
  const { answer } = conversation
  const isTranslated = dialect.wire === 'messages' && conversation.native?.api !== 'messages'
  if (isTranslated && answer !== undefined && isSet(answer.reasoningEffort) && refusesEffort(refused))
    return { ...asked, conversation: { ...conversation, answer: { ...answer, reasoningEffort: null } } }
  const maxTokens = fittingLimit(refused, sampling)
  if (maxTokens === null) throw refused
  return { ...asked, sampling: { ...sampling, maxTokens } }
}

/** A model that is not there as a chat completion says nothing bad about the upstream: it is the request that asks for too much. */
const unfitRequest = (field: string, refused: ApiError): ApiError => {
  if (refused.errorName === 'upstream_refused') return refused
  const reason = `it answers with this model only at its Responses API, which has no ${field}`
  return ApiError.of('upstream_refused', { reason }, { cause: refused })
}

/** Only the provider that has encrypted it can read it. */
const refusesEncrypted = ({ errorName, message }: ApiError): boolean =>
  errorName === 'upstream_refused' && /encrypted.?content/i.test(message)

const isSet = (value: string | null | undefined): boolean => value !== null && value !== undefined

const refusesEffort = ({ errorName, message }: ApiError): boolean =>
  errorName === 'upstream_refused' && /\b(adaptive|thinking|effort)\b/i.test(message)

/** It has no `/completions`. An unknown model, which is the operator's mistake, is a 404 too at some upstreams. */
const hasNoEndpoint = ({ options: { cause } }: ApiError): boolean =>
  cause instanceof UpstreamStatus && (cause.status === 404 || cause.status === 405 || cause.status === 501)
