import type { Question } from './stream-chat.ts'

let asked = 0

/**
 * A prompt of about 512 tokens that differs from all others from the first word on, so that no part of it is in memory,
 * and an answer of exactly `maxTokens`.
 */
export const newRailwayQuestion = (maxTokens: number): Question => {
  asked += 1
  const history = 'The history of the railway began with wooden wagonways in mines. '.repeat(34)
  return { content: `${asked}: retell this in your own words. ${history}`, maxTokens, fields: { ignore_eos: true } }
}
