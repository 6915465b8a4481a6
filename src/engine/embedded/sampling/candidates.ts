/** Tokens by logit, most likely first, sorted lazily. */
export interface Candidates {
  readonly bestLogit: number
  /** The id at a rank, from 0; null after the last one. Tokens at minus infinity are excluded. */
  at(rank: number): number | null
  /** The sum of exp((logit - best) / heat) over all tokens, accurate to one or two per cent. */
  weight(heat: number): number
}

/** Sorting tens of thousands of logits takes longer than a small model's step, so they are binned first. */
const binsPerUnit = 32
const bins = 40 * binsPerUnit
const firstSorted = 64

export const rankCandidates = (logits: Float32Array): Candidates => {
  let [best, bestLogit] = [-1, Number.NEGATIVE_INFINITY]
  for (let id = 0; id < logits.length; id += 1) {
    const logit = logits[id] ?? Number.NaN
    if (logit > bestLogit) {
      best = id
      bestLogit = logit
    }
  }
  let ranked: number[] = []
  let counts: Int32Array | undefined
  let binsSorted = 0
  const countBins = (): Int32Array => {
    counts ??= binCounts(logits, bestLogit)
    return counts
  }
  const sortMore = (): void => {
    const binned = countBins()
    const [from, wanted] = [binsSorted, Math.max(firstSorted, ranked.length * 4)]
    for (let more = 0; binsSorted <= bins && more < wanted; binsSorted += 1) more += binned[binsSorted] ?? 0
    ranked = ranked.concat(idsInBins(logits, bestLogit, from, binsSorted))
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
      const binned = countBins()
      let sum = 0
      for (let bin = 0; bin <= bins; bin += 1) {
        const count = binned[bin] ?? 0
        if (count > 0) sum += count * Math.exp(-(bin + 0.5) / binsPerUnit / heat)
      }
      return sum
    },
  }
}

/** The last bin contains all lower logits. */
const binOf = (below: number): number => (below * binsPerUnit < bins ? Math.trunc(below * binsPerUnit) : bins)

const binCounts = (logits: Float32Array, bestLogit: number): Int32Array => {
  const counts = new Int32Array(bins + 1)
  for (let id = 0; id < logits.length; id += 1) {
    const logit = logits[id] ?? Number.NaN
    if (logit > Number.NEGATIVE_INFINITY) {
      const bin = binOf(bestLogit - logit)
      counts[bin] = (counts[bin] ?? 0) + 1
    }
  }
  return counts
}

const idsInBins = (logits: Float32Array, bestLogit: number, from: number, to: number): number[] => {
  const ids: number[] = []
  for (let id = 0; id < logits.length; id += 1) {
    const logit = logits[id] ?? Number.NaN
    if (!(logit > Number.NEGATIVE_INFINITY)) continue
    const bin = binOf(bestLogit - logit)
    if (bin >= from && bin < to) ids.push(id)
  }
  return ids.sort((one, other) => (logits[other] ?? 0) - (logits[one] ?? 0) || one - other)
}
