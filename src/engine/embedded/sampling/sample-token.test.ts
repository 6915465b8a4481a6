import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from './random.ts'
import { type Filters, sampleToken } from './sample-token.ts'

const open: Filters = { temperature: 1, topP: 1, topK: 0, minP: 0 }
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const filters = fc.record({
  temperature: fc.constantFrom(0, 0.3, 1, 2),
  topP: fc.constantFrom(0, 0.3, 0.5, 0.9, 0.999, 1),
  topK: fc.constantFrom(0, 1, 3, 40, 300, 100_000),
  minP: fc.constantFrom(0, 0.1, 1),
})
/** Many equal ones, and some that no token may have. */
const logit = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -60, max: 60 }).map((halves) => halves / 2) },
  { weight: 2, arbitrary: fc.float({ min: -15, max: 15, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NEGATIVE_INFINITY, Number.NaN, -0) },
)
const vocabulary = fc.array(logit, { minLength: 1, maxLength: 60 })
/** A pattern of a few logits over and over, with small steps in between: far more tokens than are sorted at once. */
const largeVocabulary = fc
  .tuple(vocabulary, fc.integer({ min: 300, max: 4000 }), fc.constantFrom(0, 1e-7, 1e-4, 0.01))
  .map(([pattern, length, step]) =>
    Array.from({ length }, (_, id) => (pattern[id % pattern.length] ?? 0) + (id % 97) * step),
  )

type Likely = { id: number; logit: number }
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
/** For each number the sum of those before it. */
const runningSums = (numbers: readonly number[]) => {
  let total = 0
  return numbers.map((number) => {
    total += number
    return total - number
  })
}

/** By the book: sort everything, then filter by filter. */
const kept = (logits: Float32Array, { topK, topP, minP }: Filters): Likely[] => {
  const ranked = [...logits]
    .map((logit, id) => ({ id, logit }))
    .filter(({ logit }) => logit > Number.NEGATIVE_INFINITY)
    .sort((one, other) => other.logit - one.logit || one.id - other.id)
  const best = ranked[0]?.logit ?? 0
  const top = topK > 0 ? ranked.slice(0, topK) : ranked
  const weights = top.map(({ logit }) => Math.exp(logit - best))
  const target = topP * sum(weights)
  const before = runningSums(weights)
  const share = topP >= 1 ? top : top.filter((_, rank) => rank === 0 || (before[rank] ?? 0) < target)
  return share.filter(({ logit }, rank) => rank === 0 || logit >= Math.fround(best + Math.log(minP)))
}

/** Where along all weights each token begins and ends, in the order of ids. */
const shares = (likely: readonly Likely[], temperature: number) => {
  const best = Math.max(...likely.map(({ logit }) => logit))
  const byId = likely.toSorted((one, other) => one.id - other.id)
  const weights = byId.map(({ logit }) => Math.exp((logit - best) / temperature))
  const total = sum(weights)
  let end = 0
  return byId.map(({ id }, index) => {
    const from = end / total
    end += weights[index] ?? 0
    return { id, from, to: end / total }
  })
}

const rounding = 1e-5
const isSampledByTheBook = (given: readonly number[], filters: Filters, drawn: number): void => {
  const logits = Float32Array.from(given)
  const sampled = sampleToken(logits, filters, () => drawn)
  const likely = kept(logits, filters)
  if (likely.length === 0 || filters.temperature === 0) {
    expect(sampled).toBe(likely[0]?.id ?? null)
    return
  }
  const own = shares(likely, filters.temperature).find(({ id }) => id === sampled)
  // Where a share of the weight ends is a matter of rounding; a token next to the end is one of those that begin there.
  if (own === undefined) expect(isAtTheEdge(logits, filters, sampled)).toBe(true)
  else {
    const edge = filters.topP < 1 ? 0.02 : rounding
    expect(drawn).toBeGreaterThanOrEqual(own.from - edge)
    expect(drawn).toBeLessThanOrEqual(own.to + edge)
  }
}
const isAtTheEdge = (logits: Float32Array, filters: Filters, id: number | null): boolean => {
  const wider = kept(logits, { ...filters, topP: filters.topP + rounding })
  return wider.some((one) => one.id === id)
}

test('tokens are sampled as if all had been sorted and filtered', () => {
  fc.assert(fc.property(vocabulary, filters, random, isSampledByTheBook), { numRuns: 2000 })
})

test('the same holds for large vocabularies with many equal or nearly equal logits', () => {
  fc.assert(fc.property(largeVocabulary, filters, random, isSampledByTheBook), { numRuns: 300 })
})

test('no token is sampled from logits without a number above minus infinity', () => {
  const nothing = fc.array(fc.constantFrom(Number.NaN, Number.NEGATIVE_INFINITY), { maxLength: 20 })
  fc.assert(
    fc.property(nothing, filters, random, (logits, filters, drawn) => {
      expect(sampleToken(Float32Array.from(logits), filters, () => drawn)).toBeNull()
    }),
  )
})

test('an infinite logit and a temperature next to nothing give the most likely token', () => {
  expect(sampleToken(Float32Array.of(1, Infinity, 3), open, () => 0.5)).toBe(1)
  expect(sampleToken(Float32Array.of(1, 5, 3), { ...open, temperature: Number.MIN_VALUE }, () => 0.9)).toBe(1)
})

/** How often each token is sampled, and how often it should be. */
const frequencies = (logits: number[], options: Filters, due: number[]) => {
  const rounds = 10_000
  const random = createRandom(11)
  const counts = new Array<number>(logits.length).fill(0)
  const given = Float32Array.from(logits)
  for (let round = 0; round < rounds; round += 1) {
    const id = sampleToken(given, options, random) ?? -1
    counts[id] = (counts[id] ?? 0) + 1
  }
  return counts.map((count, id) => ({ drawn: count / rounds, due: (due[id] ?? 0) / sum(due) }))
}
const weights = [8, 4, 2, 1, 1]
const draws: [string, Partial<Filters>, number[]][] = [
  ['as likely as the model says', {}, weights],
  ['hotter', { temperature: 2 }, weights.map(Math.sqrt)],
  ['colder', { temperature: 0.5 }, weights.map((weight) => weight ** 2)],
  ['among the likeliest two', { topK: 2 }, [8, 4, 0, 0, 0]],
  ['among the likeliest four fifths', { topP: 0.8 }, [8, 4, 2, 0, 0]],
  ['among those nearly half as likely as the likeliest', { minP: 0.49 }, [8, 4, 0, 0, 0]],
]
test.each(draws)('tokens are sampled %s', (_, some, due) => {
  for (const frequency of frequencies(weights.map(Math.log), { ...open, ...some }, due))
    expect(Math.abs(frequency.drawn - frequency.due)).toBeLessThan(0.02)
})
