import type { ShownProgress } from '../../../../src/platform/contract/requests.ts'

/** Tokens that came between two moments since the request, in milliseconds. */
export type PacePart = { fromMs: number; toMs: number; tokens: number }

/** What a page has seen of a running request: its tokens so far, at which moment that was, and when they came. */
export type Pace = { tokens: number; ms: number; parts: readonly PacePart[] }

const maxParts = 64
/** Followed without a gap, no tokens of a part are older than that: two checkpoints. */
const longestPartMs = 1000

/** Of what came before the page was opened, it is not known when. */
export const addProgress = (pace: Pace | undefined, progress: Omit<ShownProgress, 'id'>): Pace => {
  const { completionTokens: tokens, afterMs: ms } = progress
  // Counts begin again where nothing of an answer was sent to the client.
  if (pace === undefined || tokens < pace.tokens)
    return { tokens, ms, parts: tokens === 0 ? [] : [{ fromMs: 0, toMs: ms, tokens }] }
  if (tokens === pace.tokens) return pace
  const part = { fromMs: Math.max(pace.ms, ms - longestPartMs), toMs: ms, tokens: tokens - pace.tokens }
  const parts = [...pace.parts, part]
  return { tokens, ms, parts: parts.length > maxParts ? joinShortest(parts) : parts }
}

/** The two neighbours that take the least time together become one. */
const joinShortest = (parts: readonly PacePart[]): PacePart[] => {
  let [at, leastMs] = [0, Number.POSITIVE_INFINITY]
  for (const [index, { fromMs }] of parts.slice(0, -1).entries()) {
    const ms = (parts[index + 1]?.toMs ?? fromMs) - fromMs
    if (ms < leastMs) [at, leastMs] = [index, ms]
  }
  const [one, two] = parts.slice(at, at + 2)
  if (one === undefined || two === undefined) return [...parts]
  const joined = { fromMs: one.fromMs, toMs: two.toMs, tokens: one.tokens + two.tokens }
  return [...parts.slice(0, at), joined, ...parts.slice(at + 2)]
}

type Ended = { completionTokens: number; firstTokenMs: number; durationMs: number }

/** The tokens of a request that has ended: as they were seen to come, evenly where they were not. */
export const endedParts = (
  pace: Pace | undefined,
  { completionTokens, firstTokenMs, durationMs }: Ended,
): PacePart[] => {
  const inside = (ms: number): number => Math.min(durationMs, Math.max(firstTokenMs, ms))
  const isKnown = pace !== undefined && pace.tokens > 0 && pace.tokens <= completionTokens
  const seen = isKnown ? pace : { tokens: 0, ms: firstTokenMs, parts: [] }
  const rest = { fromMs: seen.ms, toMs: durationMs, tokens: completionTokens - seen.tokens }
  return [...seen.parts, rest]
    .filter(({ tokens }) => tokens > 0)
    .map(({ fromMs, toMs, tokens }) => ({ fromMs: inside(fromMs), toMs: inside(toMs), tokens }))
}

/** How many tokens fell into each of so many equal parts of a time span. Those of a part are spread evenly over it. */
export const countInBins = (parts: readonly PacePart[], spanMs: number, bins: number): number[] => {
  const counts = new Array<number>(bins).fill(0)
  const add = (at: number, tokens: number): void => {
    const bin = Math.max(0, Math.min(bins - 1, Math.floor(at)))
    counts[bin] = (counts[bin] ?? 0) + tokens
  }
  for (const { fromMs, toMs, tokens } of parts) {
    const from = (fromMs / Math.max(1, spanMs)) * bins
    const to = Math.min(bins, (toMs / Math.max(1, spanMs)) * bins)
    const width = to - from
    if (tokens <= width) for (let one = 0; one < tokens; one += 1) add(from + ((one + 0.5) / tokens) * width, 1)
    else if (width <= 0) add(from, tokens)
    else
      for (let bin = Math.floor(from); bin < to; bin += 1)
        add(bin, (tokens * (Math.min(to, bin + 1) - Math.max(from, bin))) / width)
  }
  return counts
}
