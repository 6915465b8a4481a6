import { findCut, type RankedToken } from './find-cut.ts'
import { type LoadedLogits, loadLogits } from './load-logits.ts'
import { createScratch } from './scratch.ts'
import { sortTokens } from './sort-tokens.ts'

/**
 * The most likely tokens, sorted; equal ones by id. Those at minus infinity are excluded. With `after`, only tokens behind it
 * in the ranking.
 */
export const topTokens = (logits: Float32Array, count: number, after: RankedToken | null = null): Int32Array =>
  after === null ? topLoadedTokens(loadLogits(logits), count) : nextTokens(logits, count, after)

/** The same for logits that are loaded. */
export const topLoadedTokens = (loaded: LoadedLogits, count: number): Int32Array => {
  const { logits, maxima } = loaded
  if (count >= maxima.length) return nextTokens(logits, count, null)
  // As many blocks as tokens are wanted have one at or above this logit, so no token below it can be among the best.
  const floor = maxima.slice().sort()[maxima.length - count] ?? 0
  if (floor === Number.NEGATIVE_INFINITY) return nextTokens(logits, count, null)
  const ids = loaded.collect(floor, blocksFrom(maxima, floor))
  if (ids.length === count) return sortTokens(ids.slice(), logits)
  return firstTokens(ids, logits, count)
}

function* blocksFrom(maxima: Float32Array, floor: number): Generator<number> {
  for (let block = 0; block < maxima.length; block += 1) if ((maxima[block] ?? 0) >= floor) yield block
}

const nextTokens = (logits: Float32Array, count: number, after: RankedToken | null): Int32Array =>
  firstTokens(tokensBehind(logits, after), logits, count)

/** The first ones of the ranking of these ids, which are in ascending order. */
const firstTokens = (ids: Int32Array, logits: Float32Array, count: number): Int32Array => {
  if (ids.length <= fewTokens) return sortTokens(ids.slice(), logits).subarray(0, count)
  if (ids.length <= count) return sortTokens(ids.slice(), logits)
  return sortTokens(keepUpTo(ids, logits, findCut(ids, logits, { target: count, best: null })).slice(), logits)
}

/** Sorting so few takes no longer than choosing among them. */
const fewTokens = 256

/** Moves the ids up to a position of the ranking to the front, and returns those. */
export const keepUpTo = (ids: Int32Array, logits: Float32Array, last: RankedToken): Int32Array => {
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

const behind = createScratch((length) => new Int32Array(length))

/**
 * The ids behind a position of the ranking, in ascending order, without those at minus infinity. Valid until the next call.
 */
const tokensBehind = (logits: Float32Array, after: RankedToken | null): Int32Array => {
  const [afterLogit, afterId] = [after?.logit ?? Number.POSITIVE_INFINITY, after?.id ?? -1]
  const ids = behind(logits.length)
  let used = 0
  for (let id = 0; id < logits.length; id += 1) {
    const logit = logits[id] ?? 0
    if (!(logit > Number.NEGATIVE_INFINITY)) continue
    if (!(logit < afterLogit || (logit === afterLogit && id > afterId))) continue
    ids[used] = id
    used += 1
  }
  return ids.subarray(0, used)
}
