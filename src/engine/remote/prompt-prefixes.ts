import type { ChatMessage, Conversation, PromptPrefix } from '../contract.ts'

/** For shorter prefixes, looking up which upstream has read them costs about as much as reading them again. */
const leastCharacters = 1024
const maxKeptCharacters = 16_384

/**
 * The prefixes that a prompt may share with earlier ones, longest first: its conversation (everything up to the first
 * message of the user, which each further turn repeats) and its system prompt.
 */
export const promptPrefixes = ({
  messages,
  rawPrompt,
  tools,
}: Pick<Conversation, 'messages' | 'rawPrompt' | 'tools'>): PromptPrefix[] => {
  let system = ''
  let index = 0
  for (let message = messages[index]; message?.role === 'system'; message = messages[index]) {
    system += `\n${message.content}`
    index += 1
  }
  const first = messages[index]
  const raw = typeof rawPrompt === 'string' ? `\n\n${rawPrompt}` : ''
  const beginning = first === undefined ? system + raw : `${system}\n\n${first.content}${mediaMark(first)}`
  const rest = messages.length - index > 2 ? (messages[index + 1]?.content.length ?? 0) : 0
  const prefixes: PromptPrefix[] = []
  if (beginning.length + rest >= leastCharacters) prefixes.push(prefix('conversation', beginning))
  if (system.length >= leastCharacters) prefixes.push(prefix(`system ${tools.length}`, system))
  return prefixes
}

const prefix = (kind: string, text: string): PromptPrefix => ({
  kind,
  text: text.slice(0, maxKeptCharacters),
  length: text.length,
})

const markCharacters = 512

/** Tells images and recordings apart by their end; their beginning is often the same. */
const mediaMark = ({ parts = [] }: ChatMessage): string =>
  parts
    .map((part) => {
      if (part.type === 'text') return ''
      const data = part.type === 'image' ? part.url : part.data
      return `\n${data.length} ${data.slice(-markCharacters)}`
    })
    .join('')
