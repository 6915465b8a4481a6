import type { Candidates } from './candidates.ts'
import type { Random } from './random.ts'

export type PickOptions = {
  /** 0: always the likeliest. */
  temperature: number
  topP: number
  /** 0: no limit. */
  topK: number
  minP: number
  allows: (id: number) => boolean
}

/** Tokens that are not looked at may have this share of the chance at most. */
const neglectedShare = 1e-3

/**
 * Picks the next token, in llama.cpp's order: what is allowed, the likeliest K, the likeliest share P, those at least
 * min-p as likely as the first, then the draw at a temperature. Null where nothing is allowed.
 */
export const pick = (candidates: Candidates, options: PickOptions, random: Random): number | null => {
  const allowed = findAllowed(candidates, options)
  const [best] = allowed
  if (best === undefined) return null
  const { temperature } = options
  if (temperature <= 0) return best.id
  const kept = keepLikely(allowed, best.logprob, options)
  const weights = kept.map(({ logprob }) => Math.exp((logprob - best.logprob) / temperature))
  let left = random() * sum(weights)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return kept[index]?.id ?? null
  }
  return kept.at(-1)?.id ?? null
}

type Allowed = { id: number; logprob: number }

/**
 * Asking about every token of a vocabulary takes longer than the model itself. It ends once the rest cannot matter, but
 * never before one is found.
 */
const findAllowed = (candidates: Candidates, { temperature, topK, minP, allows }: PickOptions): Allowed[] => {
  const { ids, logprobs } = candidates
  const most = temperature <= 0 ? 1 : topK > 0 ? topK : ids.length
  // Heat makes the rest weigh more. Cold makes it weigh less, but top-p is measured before the temperature.
  const heat = Math.max(1, temperature)
  const [highest = 0] = logprobs
  const weightAt = (index: number): number => Math.exp(((logprobs[index] ?? 0) - highest) / heat)
  let unseen = 0
  if (most > 1) for (let index = 0; index < ids.length; index += 1) unseen += weightAt(index)
  const found: Allowed[] = []
  let [foundWeight, least] = [0, Number.NEGATIVE_INFINITY]
  for (let index = 0; index < ids.length; index += 1) {
    const [id = 0, logprob = 0] = [ids[index], logprobs[index]]
    if (found.length >= most || logprob < least) break
    if (found.length > 0 && unseen < neglectedShare * foundWeight) break
    unseen -= weightAt(index)
    if (!allows(id)) continue
    if (found.length === 0) least = logprob + Math.log(minP)
    found.push({ id, logprob })
    foundWeight += weightAt(index)
  }
  return found
}

const keepLikely = (allowed: Allowed[], best: number, { topP, minP }: PickOptions): Allowed[] => {
  const weights = allowed.map(({ logprob }) => Math.exp(logprob - best))
  const share = topP * sum(weights)
  let before = 0
  const kept = weights.findIndex((weight) => {
    before += weight
    return before >= share
  })
  const likely = topP >= 1 || kept < 0 ? allowed : allowed.slice(0, kept + 1)
  return likely.filter(({ logprob }) => logprob >= best + Math.log(minP))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
