/** Tokens by logit, most likely first, sorted lazily. */
export interface Candidates {
  readonly bestLogit: number
  /** The id at a rank, from 0; null after the last one. Tokens at minus infinity are excluded. */
  at(rank: number): number | null
  /** The sum of exp((logit - best) / heat) over all tokens, accurate to one or two per cent. */
  weight(heat: number): number
  /** From now on reads a copy of its logits, so that the original may be overwritten. */
  continueWith(copy: Float32Array): void
}

/** Sorting tens of thousands of logits takes longer than a small model's step, so they are binned first. */
const binsPerUnit = 32
const bins = 40 * binsPerUnit
const firstSorted = 64
/** Tokens at most this far below the best are collected while the bins are counted: nearly always all that are needed. */
const nearBins = 4 * binsPerUnit
/** No more than this and the rest of a bin are sorted at once: a search through a whole vocabulary sorts as it goes. */
const mostSortedMore = 4096

export const rankCandidates = (given: Float32Array): Candidates => {
  let logits = given
  let [best, bestLogit] = [-1, Number.NEGATIVE_INFINITY]
  for (let id = 0; id < given.length; id += 1) {
    const logit = given[id] ?? Number.NaN
    if (logit > bestLogit) {
      best = id
      bestLogit = logit
    }
  }
  let ranked: number[] = []
  let counted: Binned | undefined
  let binsSorted = 0
  const countBins = (): Binned => {
    counted ??= binLogits(logits, bestLogit)
    return counted
  }
  const sortMore = (): void => {
    const { counts, near } = countBins()
    const isFirst = binsSorted === 0
    const [from, wanted] = [binsSorted, Math.min(mostSortedMore, Math.max(firstSorted, ranked.length * 4))]
    if (isFirst) binsSorted = nearBins
    else for (let more = 0; binsSorted <= bins && more < wanted; binsSorted += 1) more += counts[binsSorted] ?? 0
    ranked = ranked.concat(sorted(logits, isFirst ? near : idsInBins(logits, bestLogit, from, binsSorted)))
  }
  return {
    bestLogit,
    at(rank) {
      if (best < 0) return null
      if (rank === 0) return best
      while (ranked.length <= rank && binsSorted <= bins) sortMore()
      return ranked[rank] ?? null
    },
    weight(heat) {
      const { counts } = countBins()
      let sum = 0
      for (let bin = 0; bin <= bins; bin += 1) {
        const count = counts[bin] ?? 0
        if (count > 0) sum += count * Math.exp(-(bin + 0.5) / binsPerUnit / heat)
      }
      return sum
    },
    continueWith(copy) {
      logits = copy
    },
  }
}

type Binned = { counts: Int32Array; near: number[] }

/** The last bin contains all lower logits, also those at minus infinity, which weigh nothing there. */
const binLogits = (logits: Float32Array, bestLogit: number): Binned => {
  const counts = new Int32Array(bins + 1)
  const near: number[] = []
  for (let id = 0; id < logits.length; id += 1) {
    const below = (bestLogit - (logits[id] ?? 0)) * binsPerUnit
    const bin = below < bins ? Math.trunc(below) : bins
    counts[bin] = (counts[bin] ?? 0) + 1
    if (bin < nearBins) near.push(id)
  }
  return { counts, near }
}

const idsInBins = (logits: Float32Array, bestLogit: number, from: number, to: number): number[] => {
  const ids: number[] = []
  const end = to > bins ? Number.POSITIVE_INFINITY : to
  for (let id = 0; id < logits.length; id += 1) {
    const below = (bestLogit - (logits[id] ?? 0)) * binsPerUnit
    if (below >= from && below < end) ids.push(id)
  }
  return ids
}

const sorted = (logits: Float32Array, ids: number[]): number[] =>
  ids.sort((one, other) => (logits[other] ?? 0) - (logits[one] ?? 0) || one - other)
