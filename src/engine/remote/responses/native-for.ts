import type { Conversation, Sampling } from '../../contract.ts'
import type { AnsweringUpstream } from '../answering-upstream.ts'
import { nativeFromChat, type SentResponses } from './native-from-chat.ts'

/** The conversation as it is sent to the upstream's own Responses API; null if it is sent to another one. */
export const nativeFor = (
  { builtInTools, chatByResponses }: Pick<AnsweringUpstream, 'builtInTools' | 'chatByResponses'>,
  conversation: Conversation,
  sampling: Sampling,
): SentResponses | null => {
  const { native, rawPrompt } = conversation
  if (builtInTools === null || rawPrompt !== undefined) return null
  if (native?.api === 'responses') return native
  return chatByResponses.includes(conversation, sampling) ? nativeFromChat(conversation, sampling) : null
}
