import { bestToken } from './best-token.ts'
import { findCut, type RankedToken } from './find-cut.ts'
import type { Random } from './random.ts'
import { scratchOf } from './scratch.ts'
import { tokensBetween, topTokens } from './top-tokens.ts'
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
 * Samples in llama.cpp's order: top-k, top-p, min-p, then temperature. Null if no logit is a number above minus infinity.
 * Each filter keeps the beginning of the ranking by logit, so only the few tokens around its end are sorted: the cost is a
 * few passes over the vocabulary, however flat the distribution is.
 */
export const sampleToken = (logits: Float32Array, filters: Filters, random: Random): number | null => {
  const best = bestToken(logits)
  const { temperature, topP, topK, minP } = filters
  if (best === null || temperature <= 0 || topK === 1 || topP <= 0) return best?.id ?? null
  const draw = { best: best.logit, heat: 1 / temperature, random }
  const isFiltered = topK > 0 || topP < 1 || minP > 0
  const drawn = isFiltered ? drawFrom(keptTokens(logits, best.logit, filters), logits, draw) : drawFromAll(logits, draw)
  // At a temperature close to zero all weights can be zero.
  return drawn ?? best.id
}

/** In ascending order. */
const keptTokens = (logits: Float32Array, best: number, { topP, topK, minP }: Filters): Int32Array => {
  const top = topK > 0 && topK < logits.length ? topTokens(logits, topK).sort() : null
  const likely = topP < 1 ? topShare(logits, best, topP, top) : top
  if (minP <= 0) return likely ?? tokensBetween(logits, null, null)
  const last = { id: logits.length, logit: Math.fround(best + Math.log(minP)) }
  return likely === null ? tokensBetween(logits, null, last) : keepUpTo(likely, logits, last)
}

/** Top-p looks at tokens this far below the best one first, which are nearly always enough. */
const nearRange = 5
const nearTokens = scratchOf((length) => new Int32Array(length))

/** The beginning of the ranking with at least this share of the weight, of all tokens or of those given. */
const topShare = (logits: Float32Array, best: number, share: number, among: Int32Array | null): Int32Array => {
  if (among !== null) {
    let total = 0
    for (const id of among) total += weightBelow(best - (logits[id] ?? 0))
    return keepUpTo(among, logits, findCut(among, logits, { best, target: share * total }))
  }
  const near = nearTokens(logits.length)
  let [used, nearWeight, farWeight] = [0, 0, 0]
  for (let id = 0; id < logits.length; id += 1) {
    const below = best - (logits[id] ?? 0)
    if (below < nearRange) {
      near[used] = id
      used += 1
      nearWeight += weightBelow(below)
    } else farWeight += weightBelow(below)
  }
  const target = share * (nearWeight + farWeight)
  const ids = nearWeight >= target ? near.subarray(0, used) : tokensBetween(logits, null, null)
  return keepUpTo(ids, logits, findCut(ids, logits, { best, target }))
}

/** Moves those to the front. */
const keepUpTo = (ids: Int32Array, logits: Float32Array, last: RankedToken): Int32Array => {
  let used = 0
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] ?? 0
    const logit = logits[id] ?? 0
    if (!(logit > last.logit || (logit === last.logit && id <= last.id))) continue
    ids[used] = id
    used += 1
  }
  return ids.subarray(0, used)
}

type Draw = { best: number; heat: number; random: Random }

const weightsOf = scratchOf((length) => new Float64Array(length))

const drawFrom = (ids: Int32Array, logits: Float32Array, { best, heat, random }: Draw): number | null => {
  const weights = weightsOf(ids.length).subarray(0, ids.length)
  let total = 0
  for (let index = 0; index < ids.length; index += 1) {
    const weight = weightBelow((best - (logits[ids[index] ?? 0] ?? 0)) * heat)
    weights[index] = weight
    total += weight
  }
  return ids[pickFrom(weights, random() * total).index] ?? null
}

/** The weights of so many tokens are added up, so that only those of one such block are computed again. */
const blockTokens = 512

const drawFromAll = (logits: Float32Array, { best, heat, random }: Draw): number | null => {
  const sums = new Float64Array(Math.ceil(logits.length / blockTokens))
  let total = 0
  for (let block = 0; block < sums.length; block += 1) {
    const end = Math.min(logits.length, (block + 1) * blockTokens)
    let sum = 0
    for (let id = block * blockTokens; id < end; id += 1) sum += weightBelow((best - (logits[id] ?? 0)) * heat)
    sums[block] = sum
    total += sum
  }
  const { index: block, rest } = pickFrom(sums, random() * total)
  if (block < 0) return null
  const first = block * blockTokens
  const weights = Float64Array.from(logits.subarray(first, first + blockTokens), (logit) =>
    weightBelow((best - logit) * heat),
  )
  return first + pickFrom(weights, rest).index
}

/** The weight in which a point along all of them lies, and how far into it; the last one above zero if none does. */
const pickFrom = (weights: Float64Array, point: number): { index: number; rest: number } => {
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
