import type { PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { ChatRequest } from './request/request.ts'

/** What is reserved for a request before its work begins. */
export type MostTokens = { promptTokens: number /** Of all choices together. */; completionTokens: number }

/**
 * An upstream that tells neither its context nor its own limit may answer at any length. Most answers stay below this, and
 * a longer one is counted in full when it is settled; a larger guess would keep small limits from admitting anything.
 */
const unknownAnswerTokens = 4096

/** The prompt and the most that the answer may take. */
export const mostTokensOf = (
  { sampling: { maxTokens }, n, sent }: Pick<ChatRequest, 'sampling' | 'n' | 'sent'>,
  { contextTokens }: Pick<ServedModel, 'contextTokens'>,
  prompt: Pick<PreparedPrompt, 'promptTokens'>,
): MostTokens => {
  const promptTokens = prompt.promptTokens ?? guessTokens(sent.messages)
  const left = contextTokens === null ? unknownAnswerTokens : Math.max(1, contextTokens - promptTokens)
  return { promptTokens, completionTokens: n * (maxTokens ?? left) }
}

/** Where only the upstream can count: about four bytes a token in English, three in Japanese, so rather too many. */
const guessTokens = (messages: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(messages)) / 3)
