import type { ChatMessage } from '../contract.ts'

/** Current tokenisers turn about four ASCII characters, or one and a half others, into one token. */
const asciiPerToken = 5
const othersPerToken = 2

/**
 * Estimates the prompt tokens if the upstream sent no count or an implausible one. The estimate is low because the
 * tokens are billed: a run of white space is one character, and the template around the messages is ignored. At least
 * one.
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

/** Allowance for the text that an upstream's chat template adds around the messages. */
const templateTokens = 1024

/** A token has at least one byte, so a larger count cannot be correct. */
export const mostPromptTokens = (messages: readonly ChatMessage[]): number =>
  templateTokens +
  messages.reduce((sum, { content, name = '' }) => sum + Buffer.byteLength(content) + Buffer.byteLength(name) + 16, 0)
