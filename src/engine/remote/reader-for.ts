import type { Conversation, Sampling } from '../contract.ts'
import { type AnswerReader, createAnswerReader } from './answer-reader.ts'
import type { AnsweringUpstream } from './answering-upstream.ts'
import { createMessagesReader } from './messages/messages-reader.ts'
import type { SentResponses } from './responses/native-from-chat.ts'
import { createResponsesReader } from './responses/responses-reader.ts'
import { withoutItems } from './responses/without-items.ts'

/** Reads an answer in the form of the API that was asked. `native`: what its Responses API was sent; null if that was another one. */
export const readerFor = (
  { dialect, redact, hideSecrets, builtInTools }: AnsweringUpstream,
  { topLogprobs, takesPieces }: Sampling,
  conversation: Conversation,
  native: SentResponses | null,
): AnswerReader => {
  const logprobs = topLogprobs !== null
  if (native !== null) {
    const reader = createResponsesReader({ logprobs, redact, hideSecrets, builtInTools: builtInTools ?? new Set() })
    const hasFormat = (conversation.answer?.format ?? null) !== null
    return native.isTranslated ? withoutItems(reader, { hasFormat }) : reader
  }
  return dialect.wire === 'messages'
    ? createMessagesReader({ redact, hideSecrets, signatures: conversation.native?.api === 'messages' })
    : createAnswerReader({ logprobs, redact, takesPieces: takesPieces === true })
}
