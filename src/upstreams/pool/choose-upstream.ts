/** What the choice between upstreams depends on. */
export type Load = {
  /** Prompt and longest answer of every request in flight. */
  readonly outstandingTokens: number
  /** Above 0. */
  readonly weight: number
}

const relativeLoad = ({ outstandingTokens, weight }: Load): number => outstandingTokens / weight

/**
 * Of two that are drawn in proportion to their weights, the one with fewer outstanding tokens for its weight. Drawing two
 * instead of comparing all keeps several servers from sending everything to the same upstream at once.
 */
export const chooseUpstream = <Candidate extends Load>(
  candidates: readonly Candidate[],
  random: () => number,
): Candidate | null => {
  const one = draw(candidates, random)
  if (one === null || candidates.length === 1) return one
  const other = draw(
    candidates.filter((candidate) => candidate !== one),
    random,
  )
  return other !== null && relativeLoad(other) < relativeLoad(one) ? other : one
}

const draw = <Candidate extends Load>(candidates: readonly Candidate[], random: () => number): Candidate | null => {
  let rest = random() * candidates.reduce((sum, { weight }) => sum + weight, 0)
  for (const candidate of candidates) {
    rest -= candidate.weight
    if (rest < 0) return candidate
  }
  return candidates.at(-1) ?? null
}

const maxAboveMean = 1.25

/** Whether a candidate may get a request because it has its prefix in its cache, although others have less to do. */
export const isWithinBound = (candidate: Load, candidates: readonly Load[], tokens: number): boolean => {
  let outstandingTokens = 0
  let weight = 0
  for (const one of candidates) {
    outstandingTokens += one.outstandingTokens
    weight += one.weight
  }
  // One request above the mean is allowed, or an idle upstream with its first request would be over the bound.
  return (
    relativeLoad(candidate) <= maxAboveMean * relativeLoad({ outstandingTokens, weight }) + tokens / candidate.weight
  )
}
