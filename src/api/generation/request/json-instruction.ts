import type { ChatMessage } from '../../../engine/contract.ts'

/** What a model is told that has to answer with JSON although nobody asked it to; some upstreams require the word. */
const instruction = 'Respond with a JSON object.'

/** Searches the text of the messages for the word JSON, ignoring case. */
export const mentionsJson = (conversation: readonly ChatMessage[]): boolean =>
  conversation.some(({ content }) => content.toLowerCase().includes('json'))

/**
 * The same conversation, in which JSON is mentioned. It is added to the first message that can have it, so that the prompt
 * begins alike in every turn and stays cached, and not as a system message, which not every chat template accepts.
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
