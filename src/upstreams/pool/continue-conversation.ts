import type { ChatMessage, Conversation } from '../../engine/contract.ts'

/** What was sent of an answer that another upstream shall continue. */
export type SentAnswer = { text: string; reasoning: string }

/**
 * `exact`: the upstream goes on with the last message itself. `instructed`: it is asked in words to do so, and what it
 * repeats has to be removed.
 */
export type ContinuationMode = 'exact' | 'instructed'

const instruction =
  'Your last message was cut off. Continue it from exactly where it ends, in the same language and format. Do not repeat any of it, and do not comment on the interruption.'

/** The highest number of tokens that the instruction and the template around it can add to a prompt. */
export const maxInstructionTokens = 96

/** The request that makes an upstream continue an answer. */
export const continueConversation = (
  conversation: Conversation,
  sent: SentAnswer,
  mode: ContinuationMode,
): Conversation => {
  const messages = withAnswer(conversation, sent)
  // What was written has other messages.
  const { written: _, native: _native, ...others } = conversation
  if (mode === 'exact') return { ...others, messages, opening: 'continue' }
  return { ...others, messages: [...messages, { role: 'user', content: instruction }], opening: 'answer' }
}

const withAnswer = ({ messages, opening }: Conversation, { text, reasoning }: SentAnswer): readonly ChatMessage[] => {
  const last = messages.at(-1)
  // The caller's own beginning of the answer is part of the same message.
  if (opening === 'continue' && last?.role === 'assistant')
    return [...messages.slice(0, -1), { ...last, content: last.content + text }]
  return [...messages, { role: 'assistant', content: text, ...(reasoning === '' ? {} : { reasoning }) }]
}
