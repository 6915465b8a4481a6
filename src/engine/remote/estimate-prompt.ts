import type { ChatMessage } from '../contract.ts'

/** Current tokenisers turn about four ASCII characters, or one and a half others, into one token. */
const asciiPerToken = 5
const othersPerToken = 2

/**
 * How many tokens a prompt has at an upstream that has not counted it, or whose count cannot be believed: rather too few,
 * because somebody is billed for them. A run of white space is one character, and the template around the messages is left
 * out. At least one: something was read.
 */
export const estimatePromptTokens = (messages: readonly ChatMessage[]): number => {
  let ascii = 0
  let others = 0
  for (const { content, name = '' } of messages)
    for (const character of `${name}${content}`.replaceAll(/\s+/g, ' ')) {
      if (character < '\u0080') ascii += 1
      else others += 1
    }
  return Math.max(1, Math.floor(ascii / asciiPerToken + others / othersPerToken))
}

/** What the chat template of an upstream may put around the messages. */
const templateTokens = 1024

/** No token is shorter than a byte: a larger count is not of this prompt. */
export const mostPromptTokens = (messages: readonly ChatMessage[]): number =>
  templateTokens +
  messages.reduce((sum, { content, name = '' }) => sum + Buffer.byteLength(content) + Buffer.byteLength(name) + 16, 0)
