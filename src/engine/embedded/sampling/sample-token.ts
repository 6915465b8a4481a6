import { findCut } from './find-cut.ts'
import { type LoadedLogits, loadLogits, lowestLogit } from './load-logits.ts'
import type { Random } from './random.ts'
import { createScratch } from './scratch.ts'
import { keepUpTo, topLoadedTokens } from './top-tokens.ts'
import { blockTokens } from './vector-memory.ts'
import { weightBelow } from './weight-below.ts'

export type Filters = {
  /** 0: always the most likely token. */
  temperature: number
  topP: number
  /** 0: no limit. */
  topK: number
  minP: number
}

/**
 * Samples in llama.cpp's order: top-k, top-p, min-p, then temperature. Null if no logit is finite.
 * Each filter keeps the beginning of the ranking by logit, so only the few tokens around its end are sorted: the cost is a
 * few passes over the vocabulary, however flat the distribution is.
 */
export const sampleToken = (logits: Float32Array, filters: Filters, random: Random): number | null => {
  const loaded = loadLogits(logits)
  const { best } = loaded
  const { temperature, topP, topK, minP } = filters
  if (best?.logit === Number.POSITIVE_INFINITY && !logits.some(Number.isFinite)) return null
  if (best === null || temperature <= 0 || topK === 1 || topP <= 0) return best?.id ?? null
  const draw = { heat: 1 / temperature, random }
  const floor = minP > 0 ? Math.fround(best.logit + Math.log(minP)) : lowestLogit
  const likely = likelyTokens(loaded, best.logit, filters)
  const drawn =
    likely === null
      ? drawFromAll(loaded, floor, draw)
      : drawFrom(keepUpTo(likely, loaded.logits, { id: logits.length, logit: floor }), loaded, draw)
  // At a temperature close to zero all weights can be zero.
  return drawn ?? best.id
}

/** The ids that top-k and top-p keep, in ascending order; null if neither is set. */
const likelyTokens = (loaded: LoadedLogits, best: number, { topP, topK }: Filters): Int32Array | null => {
  const top = topK > 0 && topK < loaded.logits.length ? topLoadedTokens(loaded, topK).sort() : null
  if (topP >= 1) return top
  return top === null ? topShare(loaded, best, topP) : findTopShare(top, loaded.logits, { best, share: topP })
}

/** Top-p looks at tokens this far below the best one first, which are nearly always enough, and then further. */
const ranges = [5, 10, 15, 20]

/** The beginning of the ranking with at least this share of the weight. */
const topShare = (loaded: LoadedLogits, best: number, share: number): Int32Array => {
  const { logits } = loaded
  const { weights, total } = loaded.weigh(1)
  const target = share * total
  const isEnough = (ids: Int32Array): boolean => {
    let sum = 0
    for (let index = 0; index < ids.length; index += 1) sum += weights[ids[index] ?? 0] ?? 0
    return sum >= target
  }
  const near = ranges
    .values()
    .map((range) => loaded.collect(best - range))
    .find(isEnough)
  const ids = near ?? loaded.collect(lowestLogit)
  return keepUpTo(ids, logits, findCut(ids, logits, { best, target }))
}

/** The same among these tokens. */
const findTopShare = (ids: Int32Array, logits: Float32Array, { best, share }: { best: number; share: number }) => {
  let total = 0
  for (const id of ids) total += weightBelow(best - (logits[id] ?? 0))
  return keepUpTo(ids, logits, findCut(ids, logits, { best, target: share * total }))
}

type Draw = { heat: number; random: Random }

const weightsScratch = createScratch((length) => new Float64Array(length))

const drawFrom = (ids: Int32Array, { logits, best }: LoadedLogits, { heat, random }: Draw): number | null => {
  const weights = weightsScratch(ids.length).subarray(0, ids.length)
  let total = 0
  for (let index = 0; index < ids.length; index += 1) {
    const weight = weightBelow(((best?.logit ?? 0) - (logits[ids[index] ?? 0] ?? 0)) * heat)
    weights[index] = weight
    total += weight
  }
  return ids[pickFrom(weights, random() * total).index] ?? null
}

/** From all tokens with at least this logit. */
const drawFromAll = (loaded: LoadedLogits, floor: number, { heat, random }: Draw): number | null => {
  const { weights, sums, total } = loaded.weigh(heat, floor)
  const { index: block, rest } = pickFrom(sums, random() * total)
  if (block < 0) return null
  const first = block * blockTokens
  return first + pickFrom(weights.subarray(first, first + blockTokens), rest).index
}

/** The weight in which a point along all of them lies, and how far into it; the last one above zero if none does. */
const pickFrom = (weights: Float32Array | Float64Array, point: number): { index: number; rest: number } => {
  let [rest, last] = [point, -1]
  for (let index = 0; index < weights.length; index += 1) {
    const weight = weights[index] ?? 0
    if (weight === 0) continue
    if (rest < weight) return { index, rest }
    rest -= weight
    last = index
  }
  return { index: last, rest }
}
