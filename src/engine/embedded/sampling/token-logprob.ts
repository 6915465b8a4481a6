import type { TokenLogprob } from '../../contract.ts'
import { loadLogits } from './load-logits.ts'
import { topLoadedTokens } from './top-tokens.ts'

/** The log probabilities of a token and of the most likely tokens, from the model's own logits. */
export const tokenLogprob = (
  logits: Float32Array,
  id: number,
  /** How many of the most likely tokens to report, or which tokens. */
  reported: number | readonly number[],
  tokenBytes: (id: number) => Uint8Array,
): TokenLogprob => {
  const loaded = loadLogits(logits)
  const { best } = loaded
  const own = logits[id]
  if (own === undefined) throw new Error(`token ${id} is not in the vocabulary`)
  const { total } = loaded.weigh(1)
  let rank = 0
  for (const other of loaded.collect(own)) if ((logits[other] ?? 0) > own || other < id) rank += 1
  const logSum = (best?.logit ?? Number.NEGATIVE_INFINITY) + Math.log(total)
  const toLogprob = (logit: number): number => Math.min(0, logit - logSum)
  const ids = typeof reported === 'object' ? reported : reported > 0 ? topLoadedTokens(loaded, reported) : []
  const top = Array.from(ids, (topId) => ({
    id: topId,
    bytes: tokenBytes(topId),
    logprob: toLogprob(logits[topId] ?? 0),
  }))
  return { logprob: toLogprob(own), rank, top }
}
