import type { ChatMessage } from '../contract.ts'
import { leastMediaTokens, maxMediaTokens } from '../media-tokens.ts'

/** Current tokenisers turn about four ASCII characters, or one and a half others, into one token. */
const asciiPerToken = 5
const othersPerToken = 2

const shortLength = 16
/** Two white-space characters in a row. */
const blanks = /[\t-\r ]{2}/

/**
 * Estimates the tokens of texts. The estimate is low because the tokens are billed: a run of white space is one character.
 */
export const createTokenEstimate = () => {
  let ascii = 0
  let others = 0
  return {
    add(text: string): void {
      // Most long texts: both checks together take a tenth of the time of the loop.
      if (text.length > shortLength && Buffer.byteLength(text) === text.length && !blanks.test(text)) {
        ascii += text.length
        return
      }
      let isBlank = false
      for (let index = 0; index < text.length; index += 1) {
        const unit = text.charCodeAt(index)
        const wasBlank = isBlank
        isBlank = unit === 32 || (unit >= 9 && unit <= 13)
        if (isBlank && wasBlank) continue
        if (unit < 128) ascii += 1
        // The second half of a character counts with the first.
        else if (unit < 0xdc00 || unit > 0xdfff) others += 1
      }
    },
    tokens: (): number => Math.floor(ascii / asciiPerToken + others / othersPerToken),
  }
}

/**
 * Estimates the prompt tokens if the upstream sent no count or an implausible one. The template around the messages is
 * ignored. At least one.
 */
export const estimatePromptTokens = (messages: readonly ChatMessage[], definitions = '', rawText = ''): number => {
  const estimate = createTokenEstimate()
  for (const message of messages) for (const text of messageTexts(message)) estimate.add(text)
  estimate.add(definitions)
  estimate.add(rawText)
  return Math.max(1, estimate.tokens() + leastMediaTokens(messages))
}

/** Allowance for the text that an upstream's chat template adds around the messages. */
const templateTokens = 1024
const messageTokens = 16

/** A token has at least one byte, so a larger count cannot be correct. Templates may indent what defines tools. */
export const maxPromptTokens = (messages: readonly ChatMessage[], definitions = '', rawText?: string): number => {
  let max = templateTokens + 4 * Buffer.byteLength(definitions) + maxMediaTokens(messages)
  if (rawText !== undefined) max += Buffer.byteLength(rawText) + messageTokens
  for (const message of messages)
    for (const text of messageTexts(message)) max += Buffer.byteLength(text) + messageTokens
  return max
}

const messageTexts = ({ content, name, reasoning, toolCalls }: ChatMessage): string[] => {
  const texts = [content]
  if (name !== undefined) texts.push(name)
  if (reasoning !== undefined) texts.push(reasoning)
  for (const call of toolCalls ?? []) texts.push(call.name, call.arguments)
  return texts
}
