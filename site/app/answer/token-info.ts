/** A token of an answer with how likely it was, from 0 to 1. */
export type TokenInfo = {
  text: string
  probability: number
  /** Null if the engine does not say. */
  id: number | null
  /** The most likely ones in its place, itself among them. */
  candidates: readonly { text: string; probability: number }[]
}

type LogProbability = { token: string; logprob: number }
export type ChunkTokens = readonly (LogProbability & { top_logprobs: readonly LogProbability[] })[]

/** Ids are given for all tokens of a chunk, or for none. */
export const readTokens = (tokens: ChunkTokens, ids: readonly number[]): TokenInfo[] =>
  tokens.map(({ token, logprob, top_logprobs: top }, index) => ({
    text: token,
    probability: Math.exp(logprob),
    id: ids.length === tokens.length ? (ids[index] ?? null) : null,
    candidates: top.map((each) => ({ text: each.token, probability: Math.exp(each.logprob) })),
  }))
