/** What the choice between upstreams depends on. */
export type Load = {
  /** Prompt and longest answer of every request in flight. */
  readonly outstandingTokens: number
  /** Above 0. */
  readonly weight: number
  /** How long an ordinary answer takes, as measured; null or absent while that is not known. */
  readonly expectedMs?: number | null
}

const relativeLoad = ({ outstandingTokens, weight }: Load): number => outstandingTokens / weight

/**
 * Of two that are drawn in proportion to their weights, the one with fewer outstanding tokens for its weight. Drawing two
 * instead of comparing all keeps several servers from sending everything to the same upstream at once. If one of them is
 * clearly faster, it is the one that is expected to answer first; now and then they are compared as before, so that an
 * upstream that has become faster is found.
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
  if (other === null) return one
  const compared = isClearlyFaster(one, other) && random() >= exploredShare ? expectedEnd : relativeLoad
  return compared(other) < compared(one) ? other : one
}

/** Smaller differences are noise, and steering by them would make upstreams swing. */
const clearTimes = 1.5
const clearMs = 100
const exploredShare = 1 / 16
/** So many outstanding tokens make an answer take twice as long. Only to compare upstreams with each other. */
const doublingTokens = 8192

/** Whether one of the two is. */
const isClearlyFaster = ({ expectedMs: one }: Load, { expectedMs: other }: Load): boolean => {
  if (one === undefined || one === null || other === undefined || other === null) return false
  const [faster, slower] = [Math.min(one, other), Math.max(one, other)]
  return slower > clearTimes * faster && slower - faster > clearMs
}

const expectedEnd = (load: Load): number => (load.expectedMs ?? 0) * (1 + relativeLoad(load) / doublingTokens)

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
