import { rankCandidates } from './candidates.ts'
import type { Random } from './random.ts'

export type SampleOptions = {
  /** 0: always the most likely token. */
  temperature: number
  topP: number
  /** 0: no limit. */
  topK: number
  minP: number
  allows: (id: number) => boolean
  /** Once a token is found, no more than this many are checked; by default all that are likely enough. */
  mostChecked?: number
}

/** Maximum total probability of the tokens that are not checked. */
const neglectedShare = 1e-3

/**
 * Samples the next token in llama.cpp's order: allowed tokens, top-k, top-p, min-p, then temperature. Null if no token
 * is allowed.
 */
export const sampleToken = (logits: Float32Array, options: SampleOptions, random: Random): number | null => {
  const kept = findLikely(logits, options)
  const [best] = kept
  const { temperature } = options
  if (best === undefined) return null
  if (temperature <= 0) return best.id
  const weights = kept.map(({ logit }) => Math.exp((logit - best.logit) / temperature))
  let left = random() * weights.reduce((total, weight) => total + weight, 0)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return kept[index]?.id ?? null
  }
  return kept.at(-1)?.id ?? null
}

type Likely = { id: number; logit: number; weight: number }

/**
 * Checking every token of a vocabulary against a grammar takes longer than the model itself. The search stops once the
 * rest is negligible, but not before one token is found.
 */
const findLikely = (logits: Float32Array, options: SampleOptions): Likely[] => {
  const { temperature, topP, topK, minP, allows, mostChecked = logits.length } = options
  const candidates = rankCandidates(logits)
  const most = temperature <= 0 ? 1 : topK > 0 ? topK : logits.length
  // Top-p applies before the temperature. Without top-p, a high temperature gives the rest more weight.
  const heat = topP < 1 ? 1 : Math.max(1, temperature)
  const enough = topP < 1 ? topP : 1 - neglectedShare
  const found: Likely[] = []
  let [foundWeight, least] = [0, Number.NEGATIVE_INFINITY]
  let unseen: number | undefined
  for (let rank = 0; found.length < most; rank += 1) {
    const id = candidates.at(rank)
    const logit = id === null ? Number.NEGATIVE_INFINITY : (logits[id] ?? 0)
    if (id === null || logit < least || (found.length > 0 && rank >= mostChecked)) break
    if (most > 1) unseen ??= candidates.weight(heat)
    if (unseen !== undefined && found.length > 0 && foundWeight >= enough * (foundWeight + unseen))
      return keepShare(found, topP * (foundWeight + unseen))
    const weight = Math.exp((logit - candidates.bestLogit) / heat)
    if (unseen !== undefined) unseen = Math.max(0, unseen - weight)
    if (!allows(id)) continue
    if (found.length === 0) least = logit + Math.log(minP)
    found.push({ id, logit, weight })
    foundWeight += weight
  }
  return keepShare(found, topP * foundWeight)
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
