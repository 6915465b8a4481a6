import type { ApiError } from '../../../base/api-error.ts'
import type { UpstreamField } from '../../../config/upstream-names.ts'
import type { Conversation, Sampling } from '../../contract.ts'
import { UpstreamStatus } from '../upstream-status.ts'
import { unfitField } from './unfit-field.ts'

/**
 * Which chats are sent to the Responses API of an upstream that has one. The operator says that all are. Otherwise those of a kind that
 * the upstream has refused as chat completions, naming this API: its newest models accept functions, or anything at all, only there.
 */
export interface ChatByResponses {
  includes(conversation: Conversation, sampling: Sampling): boolean
  /** One such chat was accepted after it had been refused as a chat completion. True: that was not known. */
  remember(conversation: Conversation): boolean
  /** The upstream has no such API after all. */
  forget(): void
}

/** The optional request fields that this API has. Stop texts are found here. */
export const responsesFields: readonly UpstreamField[] = ['tools', 'response_format', 'logprobs', 'reasoning_effort']

export const createChatByResponses = (isAlways: boolean): ChatByResponses => {
  let known: 'none' | 'calling' | 'all' = 'none'
  return {
    includes(conversation, sampling) {
      if (isAlways) return true
      if (known === 'none' || (known === 'calling' && !isCalling(conversation))) return false
      return unfitField(conversation, sampling) === null
    },
    remember(conversation) {
      if (isAlways || known === 'all') return false
      const found = isCalling(conversation) ? 'calling' : 'all'
      const isNew = found !== known
      known = found
      return isNew
    },
    forget() {
      known = 'none'
    },
  }
}

const isCalling = ({ answer }: Conversation): boolean => (answer?.calling ?? null) !== null

/** Whether an upstream refused a chat completion only because it wants such a request at its Responses API. */
export const wantsResponses = ({ errorName, message, options: { cause } }: ApiError): boolean =>
  errorName === 'upstream_refused' ? namesResponses(message) : cause instanceof UpstreamStatus && cause.namesResponses

/** As OpenAI says it: "use /v1/responses", or of a model that has no other API, "only supported in v1/responses". */
export const namesResponses = (message: string): boolean => /\b(?:use|in) \/?v1\/responses\b/.test(message)
