import { highestOf } from './best-token.ts'
import { findCut, type RankedToken } from './find-cut.ts'
import { scratchOf } from './scratch.ts'
import { sortTokens } from './sort-tokens.ts'

/** So few are found in one pass that compares each logit with the lowest one found so far. */
const fewTokens = 256
/** If more tokens are inserted, logits rise with their ids, and another way is faster. */
const maxInserted = 4096

/**
 * The most likely tokens, sorted; equal ones by id. Those at minus infinity are excluded. With `after`, only tokens behind it
 * in the ranking.
 */
export const topTokens = (logits: Float32Array, count: number, after: RankedToken | null = null): Int32Array =>
  (count <= fewTokens && after === null ? fewTopTokens(logits, count) : null) ?? manyTopTokens(logits, count, after)

/** Most blocks have no token above the lowest one found. */
const blockTokens = 64

const fewTopTokens = (logits: Float32Array, count: number): Int32Array | null => {
  const ids = new Int32Array(count)
  const found = new Float32Array(count).fill(Number.NEGATIVE_INFINITY)
  let used = 0
  let inserted = 0
  for (let from = 0; from < logits.length; from += blockTokens) {
    const end = Math.min(from + blockTokens, logits.length)
    if (!(highestOf(logits, from, end) > (found[count - 1] ?? 0))) continue
    for (let id = from; id < end; id += 1) {
      const logit = logits[id] ?? 0
      if (!(logit > (found[count - 1] ?? 0))) continue
      inserted += 1
      if (inserted > maxInserted) return null
      let place = Math.min(used, count - 1)
      for (; place > 0 && (found[place - 1] ?? 0) < logit; place -= 1) {
        found[place] = found[place - 1] ?? 0
        ids[place] = ids[place - 1] ?? 0
      }
      found[place] = logit
      ids[place] = id
      if (used < count) used += 1
    }
  }
  return ids.subarray(0, used)
}

const manyTopTokens = (logits: Float32Array, count: number, after: RankedToken | null): Int32Array => {
  const rest = tokensBetween(logits, after, null)
  if (rest.length <= count) return sortTokens(rest.slice(), logits)
  const last = findCut(rest, logits, { target: count, best: null })
  return sortTokens(tokensBetween(logits, after, last).slice(), logits)
}

const between = scratchOf((length) => new Int32Array(length))

/**
 * The ids behind one position of the ranking up to another, in ascending order, without those at minus infinity. Valid until
 * the next call.
 */
export const tokensBetween = (
  logits: Float32Array,
  after: RankedToken | null,
  last: RankedToken | null,
): Int32Array => {
  const [afterLogit, afterId] = [after?.logit ?? Number.POSITIVE_INFINITY, after?.id ?? -1]
  const [lastLogit, lastId] = [last?.logit ?? Number.NEGATIVE_INFINITY, last?.id ?? -1]
  const ids = between(logits.length)
  let used = 0
  for (let id = 0; id < logits.length; id += 1) {
    const logit = logits[id] ?? 0
    if (!(logit > lastLogit || (logit === lastLogit && id <= lastId))) continue
    if (!(logit < afterLogit || (logit === afterLogit && id > afterId))) continue
    ids[used] = id
    used += 1
  }
  return ids.subarray(0, used)
}
