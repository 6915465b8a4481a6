import type { EmbeddingInputs, InputOptions } from '../../contract.ts'
import type { Embedder } from './open-embedder.ts'

/** Why an input cannot be embedded; `index` is its position among the inputs. */
export type InputRefusal =
  /** `tokens`: counted so far, if counting stopped early. */
  | { reason: 'too_long'; index: number; tokens: number; isComplete: boolean }
  /** Nothing is left of the text, for example because it consists of spaces. */
  | { reason: 'empty'; index: number }
  | { reason: 'unknown_token'; index: number; token: number }
  /** A query leaves no room for a document; `tokens` without one. Only of pairs. */
  | { reason: 'query_too_long'; index: number; tokens: number; isComplete: boolean }
  /** All inputs together. */
  | { reason: 'too_many_tokens'; limit: number }

export type TokenisedInputs = { inputs: Uint32Array[] } | { refusal: InputRefusal }
export type TokenisingEmbedder = Pick<Embedder, 'tokenise' | 'contextTokens' | 'vocabularyTokens' | 'endTokens'>

/** The limit for all inputs of a request together, as in OpenAI's API. */
export const requestTokenLimit = 300_000
/** Cutting through a token may turn it into two or three. */
const cutSlack = 8
const likelyCharsPerToken = 8

/** Stops at the first input that cannot be embedded, and without tokenising much more than the limits allow. */
export const tokeniseInputs = async (
  inputs: EmbeddingInputs,
  embedder: TokenisingEmbedder,
  isWanted: () => boolean,
  { maxTokens = null, isBare = false }: InputOptions = {},
): Promise<TokenisedInputs> => {
  const { contextTokens } = embedder
  // Cut to more than the model accepts, an input would still be refused, and then with all of its tokens.
  const cutAt = maxTokens === null || maxTokens > contextTokens ? null : maxTokens < 0 ? contextTokens : maxTokens
  const role = isBare ? 'part' : 'input'
  const tokenised: Uint32Array[] = []
  let total = 0
  for (const [index, input] of inputs.entries()) {
    if (!isWanted()) break
    const read =
      typeof input === 'string'
        ? await tokeniseStart(input, contextTokens, (text) => embedder.tokenise(text, role))
        : { tokens: Uint32Array.from(input), isComplete: true }
    const endTokens = typeof input === 'string' && !isBare ? embedder.endTokens : 0
    const { tokens, isComplete } = cutAt === null ? read : cutEnd(read, cutAt, endTokens)
    if (tokens.length === 0) return { refusal: { reason: 'empty', index } }
    const unknown = typeof input === 'string' ? undefined : tokens.find((token) => token >= embedder.vocabularyTokens)
    if (unknown !== undefined) return { refusal: { reason: 'unknown_token', index, token: unknown } }
    if (!isComplete || tokens.length > contextTokens)
      return { refusal: { reason: 'too_long', index, tokens: tokens.length, isComplete } }
    total += tokens.length
    if (total > requestTokenLimit) return { refusal: { reason: 'too_many_tokens', limit: requestTokenLimit } }
    tokenised.push(tokens)
  }
  return { inputs: tokenised }
}

type Tokens = { tokens: Uint32Array; isComplete: boolean }

/** At most so many tokens. Those that the model requires at the end stay there. */
const cutEnd = ({ tokens, isComplete }: Tokens, cutAt: number, endTokens: number): Tokens => {
  if (tokens.length <= cutAt) return { tokens, isComplete }
  const kept = Math.min(endTokens, cutAt - 1)
  const cut = tokens.slice(0, cutAt)
  cut.set(tokens.subarray(tokens.length - kept), cutAt - kept)
  return { tokens: cut, isComplete: true }
}

/** All tokens of a text, or some of its first if these are already more than `maxTokens`. */
export const tokeniseStart = async (
  text: string,
  maxTokens: number,
  tokenise: (text: string) => Promise<Uint32Array>,
): Promise<Tokens> => {
  const limit = maxTokens + cutSlack
  // Increasingly long beginnings of a long text, until one of them is already too long.
  for (let chars = limit * likelyCharsPerToken; chars < text.length; chars *= 2) {
    const tokens = await tokenise(text.slice(0, chars))
    if (tokens.length > limit) return { tokens, isComplete: false }
  }
  return { tokens: await tokenise(text), isComplete: true }
}
