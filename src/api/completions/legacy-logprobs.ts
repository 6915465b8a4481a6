import type { ContentLogprob } from '../generation/output/content-logprobs.ts'
import { contentLogprobJson } from '../openai/answer-shapes.ts'

/**
 * The log probabilities of a text in the older shape: parallel lists, with the position of each token in the text. The text
 * may come in pieces. A token that begins within a character has the position of that character.
 */
export const createLegacyLogprobs = (textOffset: number) => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let offset = textOffset
  const offsetOf = ({ bytes }: ContentLogprob): number => {
    const start = offset
    offset += decoder.decode(bytes, { stream: true }).length
    return start
  }
  return (tokens: readonly ContentLogprob[]) => {
    const written = tokens.map(contentLogprobJson)
    return {
      tokens: written.map(({ token }) => token),
      token_logprobs: written.map(({ logprob }) => logprob),
      top_logprobs: written.map(({ top_logprobs }) =>
        Object.fromEntries(top_logprobs.map(({ token, logprob }) => [token, logprob])),
      ),
      text_offset: tokens.map(offsetOf),
    }
  }
}
