import type { RankedToken } from './find-cut.ts'
import { loadLogits } from './load-logits.ts'
import { topTokens } from './top-tokens.ts'

/** Tokens by logit, most likely first, sorted in portions as they are needed. */
export interface Candidates {
  readonly bestLogit: number
  /** The id at a rank, from 0; null after the last one. Tokens at minus infinity are excluded. */
  at(rank: number): number | null
  /** The sum of exp((logit - best) / heat) over all tokens. */
  weight(heat: number): number
  /** From now on reads a copy of its logits, so that the original may be overwritten. */
  continueWith(copy: Float32Array): void
}

const firstPortion = 64
const maxPortion = 4096

export const rankCandidates = (given: Float32Array): Candidates => {
  const bestLogit = loadLogits(given).best?.logit ?? Number.NEGATIVE_INFINITY
  let logits = given
  let isComplete = false
  const ranked: number[] = []
  const rankMore = (): void => {
    const wanted = Math.min(maxPortion, Math.max(firstPortion, ranked.length * 4))
    const portion = topTokens(logits, wanted, lastRanked(ranked, logits))
    for (const id of portion) ranked.push(id)
    isComplete = portion.length < wanted
  }
  return {
    bestLogit,
    at(rank) {
      while (ranked.length <= rank && !isComplete) rankMore()
      return ranked[rank] ?? null
    },
    weight(heat) {
      return loadLogits(logits).weigh(1 / heat).total
    },
    continueWith(copy) {
      logits = copy
    },
  }
}

const lastRanked = (ranked: readonly number[], logits: Float32Array): RankedToken | null => {
  const id = ranked.at(-1)
  return id === undefined ? null : { id, logit: logits[id] ?? 0 }
}
