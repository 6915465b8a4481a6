import type { ChatMessage } from '../../../engine/contract.ts'

/** Added to a conversation that must be answered with JSON but does not mention it; some upstreams require the word. */
const instruction = 'Respond with a JSON object.'

/** Searches the text of the messages for the word JSON, ignoring case. */
export const mentionsJson = (conversation: readonly ChatMessage[]): boolean =>
  conversation.some(({ content }) => content.toLowerCase().includes('json'))

/**
 * The same conversation with an instruction to answer with JSON. It is added to the first message that can have it, so
 * that the prompt begins the same in every turn and stays cached; not every chat template accepts a system message.
 */
export const withJsonInstruction = (conversation: readonly ChatMessage[]): ChatMessage[] => {
  if (mentionsJson(conversation)) return [...conversation]
  const index = conversation.findIndex(({ role }) => role === 'system' || role === 'user')
  const first = conversation[index]
  if (first === undefined) return [{ role: 'system', content: instruction }, ...conversation]
  return conversation.with(index, instructed(first))
}

const instructed = (message: ChatMessage): ChatMessage => {
  const { content, parts } = message
  return {
    ...message,
    content: content === '' ? instruction : `${content}\n\n${instruction}`,
    ...(parts === undefined ? {} : { parts: [...parts, { type: 'text', text: instruction }] }),
  }
}
