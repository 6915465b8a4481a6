import type { contentLogprobJson } from '../chat-completions/shapes.ts'

type Token = ReturnType<typeof contentLogprobJson>

/** The log probabilities of a text in the older shape: parallel lists, with the position of each token in the text. */
export const legacyLogprobs = (tokens: readonly Token[], textOffset: number) => {
  let offset = textOffset
  const offsets = tokens.map(({ token }) => {
    const start = offset
    offset += token.length
    return start
  })
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map(({ top_logprobs }) =>
      Object.fromEntries(top_logprobs.map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets,
  }
}
