import type { TokenLogprob } from '../../contract.ts'
import { rankCandidates } from './candidates.ts'

/** The log probabilities of a token and of the most likely tokens, from the model's own logits. */
export const tokenLogprob = (
  logits: Float32Array,
  id: number,
  topLogprobs: number,
  tokenBytes: (id: number) => Uint8Array,
): TokenLogprob => {
  const candidates = rankCandidates(logits)
  const own = logits[id]
  if (own === undefined) throw new Error(`token ${id} is not in the vocabulary`)
  let [sum, rank] = [0, 0]
  for (let other = 0; other < logits.length; other += 1) {
    const logit = logits[other] ?? Number.NEGATIVE_INFINITY
    sum += Math.exp(logit - candidates.bestLogit)
    if (logit > own || (logit === own && other < id)) rank += 1
  }
  const logSum = candidates.bestLogit + Math.log(sum)
  const top: TokenLogprob['top'] = []
  for (let place = 0; place < topLogprobs; place += 1) {
    const topId = candidates.at(place)
    if (topId === null) break
    top.push({ id: topId, bytes: tokenBytes(topId), logprob: Math.min(0, (logits[topId] ?? 0) - logSum) })
  }
  return { logprob: Math.min(0, own - logSum), rank, top }
}
