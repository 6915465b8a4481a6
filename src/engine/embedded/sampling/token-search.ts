import { type Candidates, rankCandidates } from './candidates.ts'
import type { Random } from './random.ts'
import type { Filters } from './sample-token.ts'

export type SearchOptions = Filters & {
  allows: (id: number) => boolean
  /** Once a token is found, no more than this many are checked. */
  maxChecked: number
}

/** Maximum total probability of the tokens that are not checked. */
const neglectedShare = 1e-3

/** The search for the next token of an answer, which can be interrupted and continued. */
export interface TokenSearch {
  /**
   * Checks at most this many tokens. 'paused': there are more to check. The next call continues with the same logits or
   * a copy of them, and the result is the same however many tokens each call checks. An id of null: no token is allowed.
   */
  run(logits: Float32Array, checks: number): { id: number | null } | 'paused'
}

/**
 * Samples among the allowed tokens, which it finds by checking them from the most likely on: for answers under a grammar, if
 * the token that was sampled first is not allowed. In llama.cpp's order: allowed tokens, top-k, top-p, min-p, temperature.
 */
export const createTokenSearch = (options: SearchOptions, random: Random): TokenSearch => {
  const findLikely = createLikelySearch(options)
  return {
    run(logits, checks) {
      const likely = findLikely(logits, checks)
      return likely === 'paused' ? likely : { id: sampleFrom(likely, options.temperature, random) }
    },
  }
}

type Likely = { id: number; logit: number; weight: number }

const sampleFrom = (likely: readonly Likely[], temperature: number, random: Random): number | null => {
  const [best] = likely
  if (best === undefined) return null
  if (temperature <= 0) return best.id
  const weights = likely.map(({ logit }) => Math.exp((logit - best.logit) / temperature))
  let left = random() * weights.reduce((total, weight) => total + weight, 0)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return likely[index]?.id ?? null
  }
  return likely.at(-1)?.id ?? null
}

/**
 * Checking every token of a vocabulary against a grammar takes longer than the model itself. The search stops once the
 * rest is negligible, but not before one token is found.
 */
const createLikelySearch = (options: SearchOptions) => {
  const { temperature, topP, topK, minP, allows, maxChecked } = options
  const max = temperature <= 0 ? 1 : topK > 0 ? topK : Number.POSITIVE_INFINITY
  // Top-p applies before the temperature. Without top-p, a high temperature gives the rest more weight.
  const heat = topP < 1 ? 1 : Math.max(1, temperature)
  const enough = topP < 1 ? topP : 1 - neglectedShare
  const found: Likely[] = []
  let [rank, foundWeight, least] = [0, 0, Number.NEGATIVE_INFINITY]
  let unseen: number | undefined
  let ranked: Candidates | undefined
  return (logits: Float32Array, checks: number): Likely[] | 'paused' => {
    const candidates = ranked ?? rankCandidates(logits)
    if (ranked === undefined) ranked = candidates
    else candidates.continueWith(logits)
    for (const end = rank + checks; found.length < max; rank += 1) {
      const id = candidates.at(rank)
      const logit = id === null ? Number.NEGATIVE_INFINITY : (logits[id] ?? 0)
      if (id === null || logit < least || (found.length > 0 && rank >= maxChecked)) break
      if (max > 1) unseen ??= candidates.weight(heat)
      if (unseen !== undefined && found.length > 0 && foundWeight >= enough * (foundWeight + unseen))
        return keepShare(found, topP * (foundWeight + unseen))
      if (rank >= end) return 'paused'
      const weight = Math.exp((logit - candidates.bestLogit) / heat)
      if (unseen !== undefined) unseen = Math.max(0, unseen - weight)
      if (!allows(id)) continue
      if (found.length === 0) least = logit + Math.log(minP)
      found.push({ id, logit, weight })
      foundWeight += weight
    }
    return keepShare(found, topP * foundWeight)
  }
}

/** The shortest prefix that reaches this total weight. */
const keepShare = (found: Likely[], share: number): Likely[] => {
  let before = 0
  const last = found.findIndex(({ weight }) => {
    before += weight
    return before >= share
  })
  return last < 0 ? found : found.slice(0, last + 1)
}
