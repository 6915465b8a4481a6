import type { Question } from './stream-chat.ts'

let asked = 0

/** Of the sentence, with the chat template. */
const [sentenceTokens, otherTokens] = [14, 32]

/**
 * A prompt of about 512 tokens, or as many as given, that differs from all others from the first word on, so that no part
 * of it is in memory, and an answer of exactly `maxTokens`.
 */
export const newRailwayQuestion = (maxTokens: number, promptTokens = 512): Question => {
  asked += 1
  const sentences = Math.max(1, Math.round((promptTokens - otherTokens) / sentenceTokens))
  const history = 'The history of the railway began with wooden wagonways in mines. '.repeat(sentences)
  return { content: `${asked}: retell this in your own words. ${history}`, maxTokens, fields: { ignore_eos: true } }
}
