import type { RankedToken } from './find-cut.ts'
import { blockTokens, memoryFor } from './vector-memory.ts'

/** Logits in the memory of `vector-passes.wat`, where a pass over all of them takes a tenth of the time. */
export interface LoadedLogits {
  readonly logits: Float32Array
  /** The highest logit of each block; minus infinity if it has no number. */
  readonly maxima: Float32Array
  /** The most likely token, the first of several; null if no logit is a number above minus infinity. */
  readonly best: RankedToken | null
  /** exp((logit - best) * heat) of each token, and the sums of each block. 0 for logits below the floor and far from the best. */
  weigh(heat: number, floor?: number): { weights: Float32Array; sums: Float64Array; total: number }
  /** The ids of the tokens with at least this logit, in ascending order, of all blocks or of those given. */
  collect(floor: number, blocks?: Iterable<number>): Int32Array
}

/** A logit below that of every token that can be sampled. */
export const lowestLogit = -3.4028234663852886e38

/** Copies the logits, which takes less time than one pass over them in JavaScript. The result is valid until the next call. */
export const loadLogits = (given: Float32Array): LoadedLogits => {
  const { logits, maxima, weights, sums, ids, passes, starts } = memoryFor(given.length)
  const [length, blocks] = [given.length, Math.ceil(given.length / blockTokens)]
  logits.set(given)
  logits.fill(Number.NEGATIVE_INFINITY, length, blocks * blockTokens)
  passes.maxima(0, blocks * blockBytes, starts.maxima)
  const best = bestOf(logits, maxima, blocks)
  return {
    logits: logits.subarray(0, length),
    maxima: maxima.subarray(0, blocks),
    best,
    weigh(heat, floor = lowestLogit) {
      passes.weigh(0, blocks * blockBytes, best?.logit ?? 0, heat * Math.LOG2E, floor, starts.weights, starts.sums)
      let total = 0
      for (let block = 0; block < blocks; block += 1) total += sums[block] ?? 0
      return { weights: weights.subarray(0, length), sums: sums.subarray(0, blocks), total }
    },
    collect(floor, chosen) {
      let end = starts.ids
      const collect = (from: number, to: number): void => {
        end = passes.collect(from * blockBytes, to * blockBytes, floor, end)
      }
      if (chosen === undefined) collect(0, blocks)
      else for (const block of chosen) collect(block, block + 1)
      return ids.subarray(0, (end - starts.ids) / ids.BYTES_PER_ELEMENT)
    },
  }
}

const blockBytes = blockTokens * Float32Array.BYTES_PER_ELEMENT

const bestOf = (logits: Float32Array, maxima: Float32Array, blocks: number): RankedToken | null => {
  let [logit, block] = [Number.NEGATIVE_INFINITY, -1]
  for (let index = 0; index < blocks; index += 1)
    if ((maxima[index] ?? logit) > logit) {
      logit = maxima[index] ?? logit
      block = index
    }
  if (block < 0) return null
  for (let id = block * blockTokens; ; id += 1) if (logits[id] === logit) return { id, logit }
}
