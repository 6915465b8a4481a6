import type { EmbeddingInputs } from '../../contract.ts'
import type { Embedder } from './open-embedder.ts'

/** Why an input cannot be embedded; `index` is its position among the inputs. */
export type InputRefusal =
  /** `tokens`: counted so far, if counting stopped early. */
  | { reason: 'too_long'; index: number; tokens: number; isComplete: boolean }
  /** Nothing is left of the text, for example because it consists of spaces. */
  | { reason: 'empty'; index: number }
  | { reason: 'unknown_token'; index: number; token: number }
  /** All inputs together. */
  | { reason: 'too_many_tokens'; limit: number }

export type TokenisedInputs = { inputs: Uint32Array[] } | { refusal: InputRefusal }
type TokenisingEmbedder = Pick<Embedder, 'tokenise' | 'contextTokens' | 'vocabularyTokens'>

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
): Promise<TokenisedInputs> => {
  const { contextTokens } = embedder
  const tokenised: Uint32Array[] = []
  let total = 0
  for (const [index, input] of inputs.entries()) {
    if (!isWanted()) break
    const { tokens, isComplete } = await tokenise(input, embedder)
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

const tokenise = async (input: string | readonly number[], embedder: TokenisingEmbedder): Promise<Tokens> => {
  if (typeof input !== 'string') return { tokens: Uint32Array.from(input), isComplete: true }
  const limit = embedder.contextTokens + cutSlack
  // Increasingly long beginnings of a long text, until one of them is already too long.
  for (let chars = limit * likelyCharsPerToken; chars < input.length; chars *= 2) {
    const tokens = await embedder.tokenise(input.slice(0, chars))
    if (tokens.length > limit) return { tokens, isComplete: false }
  }
  return { tokens: await embedder.tokenise(input), isComplete: true }
}
