import { createScratch } from './scratch.ts'
import { sortTokens } from './sort-tokens.ts'
import { weightBelow } from './weight-below.ts'

/** A position in the ranking by logit, equal ones by id. */
export type RankedToken = { id: number; logit: number }

/** Where to cut the ranking: after so many tokens, or once their weights relative to the best logit reach so much. */
export type Measure = { target: number; best: number | null }

const bins = 1024
/** This few tokens are sorted instead. */
const fewTokens = 256

/**
 * The token of the ranking with which the target is reached, or the last one. The ids must be in ascending order, and at
 * least one. Takes linear time for any distribution: only the bin in which the target is reached is looked into further,
 * and a bin of equal logits is in order as it is.
 */
export const findCut = (ids: Int32Array, logits: Float32Array, { target, best }: Measure): RankedToken => {
  let [open, missing] = [ids, target]
  for (;;) {
    const { lowest, highest } = logitRange(open, logits)
    if (open.length <= fewTokens || lowest === highest) break
    const { crossing, before } = splitAt(open, logits, { lowest, highest, best, missing })
    missing -= before
    open = crossing
  }
  const ranked = open.length <= fewTokens ? sortTokens(open.slice(), logits) : open
  let last = 0
  for (let index = 0; index < ranked.length; index += 1) {
    last = ranked[index] ?? 0
    missing -= best === null ? 1 : weightBelow(best - (logits[last] ?? 0))
    if (missing <= 0) break
  }
  return { id: last, logit: logits[last] ?? 0 }
}

const logitRange = (ids: Int32Array, logits: Float32Array): { lowest: number; highest: number } => {
  let [lowest, highest] = [Infinity, -Infinity]
  for (let index = 0; index < ids.length; index += 1) {
    const logit = logits[ids[index] ?? 0] ?? 0
    if (logit < lowest) lowest = logit
    if (logit > highest) highest = logit
  }
  return { lowest, highest }
}

type Split = { lowest: number; highest: number; best: number | null; missing: number }

const binsOfTokens = createScratch((length) => new Uint16Array(length))

/** The ids in the bin in which the target is reached, in the order given, and how much is reached before it. */
const splitAt = (ids: Int32Array, logits: Float32Array, { lowest, highest, best, missing }: Split) => {
  const scale = (bins - 1) / (highest - lowest)
  const measures = new Float64Array(bins)
  const counts = new Int32Array(bins)
  const binOf = binsOfTokens(ids.length)
  for (let index = 0; index < ids.length; index += 1) {
    const logit = logits[ids[index] ?? 0] ?? 0
    const bin = ((highest - logit) * scale) | 0
    binOf[index] = bin
    counts[bin] = (counts[bin] ?? 0) + 1
    if (best !== null) measures[bin] = (measures[bin] ?? 0) + weightBelow(best - logit)
  }
  const measured = best === null ? counts : measures
  const lastUsed = counts.findLastIndex((count) => count > 0)
  let [bin, before] = [0, 0]
  for (; bin < lastUsed && before + (measured[bin] ?? 0) < missing; bin += 1) before += measured[bin] ?? 0
  const crossing = new Int32Array(counts[bin] ?? 0)
  let used = 0
  for (let index = 0; index < ids.length; index += 1) {
    if (binOf[index] !== bin) continue
    crossing[used] = ids[index] ?? 0
    used += 1
  }
  return { crossing, before }
}
