import type { TokenLogprob } from '../../contract.ts'
import { bestToken } from './best-token.ts'
import { topTokens } from './top-tokens.ts'
import { weightBelow } from './weight-below.ts'

/** The log probabilities of a token and of the most likely tokens, from the model's own logits. */
export const tokenLogprob = (
  logits: Float32Array,
  id: number,
  topLogprobs: number,
  tokenBytes: (id: number) => Uint8Array,
): TokenLogprob => {
  const own = logits[id]
  if (own === undefined) throw new Error(`token ${id} is not in the vocabulary`)
  const best = bestToken(logits)?.logit ?? Number.NEGATIVE_INFINITY
  let [sum, rank] = [0, 0]
  for (let other = 0; other < logits.length; other += 1) {
    const logit = logits[other] ?? Number.NEGATIVE_INFINITY
    sum += weightBelow(best - logit)
    if (logit > own || (logit === own && other < id)) rank += 1
  }
  const logSum = best + Math.log(sum)
  const logprobOf = (logit: number): number => Math.min(0, logit - logSum)
  const top = Array.from(topLogprobs > 0 ? topTokens(logits, topLogprobs) : [], (topId) => ({
    id: topId,
    bytes: tokenBytes(topId),
    logprob: logprobOf(logits[topId] ?? 0),
  }))
  return { logprob: logprobOf(own), rank, top }
}
