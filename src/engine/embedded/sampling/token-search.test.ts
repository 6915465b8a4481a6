import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom, type Random } from './random.ts'
import { createTokenSearch, type SearchOptions } from './token-search.ts'

const open: SearchOptions = { temperature: 1, topP: 1, topK: 0, minP: 0, allows: () => true, maxChecked: 100_000 }
const logits = fc.array(fc.double({ min: -15, max: 15, noNaN: true }), { minLength: 1, maxLength: 60 })
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const options = fc.record({
  temperature: fc.constantFrom(0, 0.3, 1, 2),
  topP: fc.constantFrom(0, 0.5, 0.9, 1),
  topK: fc.constantFrom(0, 1, 3, 1000),
  minP: fc.constantFrom(0, 0.1, 1),
})
const some = fc.func(fc.boolean())
const sampleToken = (logits: Float32Array, options: SearchOptions, random: Random): number | null => {
  const found = createTokenSearch(options, random).run(logits, Number.POSITIVE_INFINITY)
  if (found === 'paused') throw new Error('a search without a limit does not pause')
  return found.id
}

test('what is sampled is allowed, and something is sampled whenever something is allowed', () => {
  fc.assert(
    fc.property(logits, options, some, random, (logits, options, allows, drawn) => {
      const sampled = sampleToken(Float32Array.from(logits), { ...open, ...options, allows }, () => drawn)
      if (sampled === null) expect(logits.some((_, id) => allows(id))).toBe(false)
      else expect(allows(sampled)).toBe(true)
    }),
  )
})

test('at temperature 0, with top_k 1, top_p 0 or min_p 1, it is the likeliest that is allowed', () => {
  const narrow = fc.constantFrom({ temperature: 0 }, { topK: 1 }, { topP: 0 }, { minP: 1 })
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: -15, max: 15 }), { minLength: 1 }),
      narrow,
      some,
      random,
      (...given) => {
        const [logits, narrowed, allows, drawn] = given
        const best = [...logits.entries()].filter(([id]) => allows(id)).sort(([, one], [, other]) => other - one)[0]
        expect(sampleToken(Float32Array.from(logits), { ...open, ...narrowed, allows }, () => drawn)).toBe(
          best?.[0] ?? null,
        )
      },
    ),
  )
})

/** How often each token is sampled, and how often it should be. */
const frequencies = (logits: number[], options: SearchOptions, weights: number[]) => {
  const rounds = 10_000
  const random = createRandom(11)
  const counts = new Array<number>(logits.length).fill(0)
  const given = Float32Array.from(logits)
  for (let round = 0; round < rounds; round += 1) {
    const id = sampleToken(given, options, random) ?? -1
    counts[id] = (counts[id] ?? 0) + 1
  }
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return counts.map((count, id) => ({ drawn: count / rounds, due: (weights[id] ?? 0) / sum }))
}
const weights = [8, 4, 2, 1, 1]
const draws: [string, Partial<SearchOptions>, number[]][] = [
  ['as likely as the model says', {}, weights],
  ['hotter', { temperature: 2 }, weights.map(Math.sqrt)],
  ['colder', { temperature: 0.5 }, weights.map((weight) => weight ** 2)],
  ['among the likeliest two', { topK: 2 }, [8, 4, 0, 0, 0]],
  ['among the likeliest four fifths', { topP: 0.8 }, [8, 4, 2, 0, 0]],
  ['among those nearly half as likely as the likeliest', { minP: 0.49 }, [8, 4, 0, 0, 0]],
  ['among what is allowed', { allows: (id) => id % 2 === 0 }, [8, 0, 2, 0, 1]],
  [
    'filters look at what is allowed only',
    { allows: (id) => id > 0, topK: 2, temperature: 2 },
    [0, 2, Math.SQRT2, 0, 0],
  ],
]
test.each(draws)('tokens are sampled %s', (_, some, due) => {
  for (const frequency of frequencies(weights.map(Math.log), { ...open, ...some }, due))
    expect(Math.abs(frequency.drawn - frequency.due)).toBeLessThan(0.02)
})

test('a large vocabulary is not asked to its end, unless nothing else fits', () => {
  const logits = Float32Array.from({ length: 45_000 }, (_, id) => -id / 10)
  let asked = 0
  const count = (allows: (id: number) => boolean) => (id: number) => {
    asked += 1
    return allows(id)
  }
  sampleToken(logits, { ...open, allows: count((id) => id % 3 === 0) }, () => 0.5)
  expect(asked).toBeLessThan(200)
  expect(sampleToken(logits, { ...open, allows: count((id) => id === 44_999) }, () => 0.5)).toBe(44_999)
})

test('with a limit on checks, the tokens beyond it are left out, unless nothing else fits', () => {
  const even = new Float32Array(45_000)
  let asked = 0
  const allows = (id: number) => {
    asked += 1
    return id % 3 === 0
  }
  const sampled = [0, 0.5, 0.999].map((drawn) => sampleToken(even, { ...open, maxChecked: 300, allows }, () => drawn))
  expect(sampled).toEqual([0, 150, 297])
  expect(asked).toBe(900)
  expect(sampleToken(even, { ...open, maxChecked: 300, allows: (id) => id === 44_999 }, () => 0.5)).toBe(44_999)
})

test('in portions, and on copies of the logits, the same token is found, and no portion checks more than it may', () => {
  // Evenly spread, so that the order of the less likely ones is not known before the first pause.
  const spread = fc.array(
    fc.integer({ min: -150, max: 150 }).map((tenths) => tenths / 10),
    { minLength: 1, maxLength: 60 },
  )
  const portions = fc.infiniteStream(fc.integer({ min: 1, max: 9 }))
  const maxChecked = fc.constantFrom(100_000, 1, 7)
  fc.assert(
    fc.property(
      spread,
      options,
      maxChecked,
      some,
      random,
      portions,
      (logits, options, maxChecked, allows, drawn, portions) => {
        let asked = 0
        const counted = (id: number) => {
          asked += 1
          return allows(id)
        }
        const given = { ...options, maxChecked, allows: counted }
        const whole = sampleToken(Float32Array.from(logits), given, () => drawn)
        const askedAtOnce = asked
        asked = 0
        const search = createTokenSearch(given, () => drawn)
        for (const portion of portions) {
          const before = asked
          const copy = Float32Array.from(logits)
          const found = search.run(copy, portion)
          copy.fill(Number.NaN)
          expect(asked - before).toBeLessThanOrEqual(portion)
          if (found === 'paused') continue
          expect([found.id, asked]).toEqual([whole, askedAtOnce])
          return
        }
      },
    ),
  )
})

test('a search through a whole vocabulary continues where it paused', () => {
  const logits = Float32Array.from({ length: 45_000 }, (_, id) => ((id * 7919) % 45_000) / 1000)
  const asked: number[] = []
  const allows = (id: number) => {
    asked.push(id)
    return logits[id] === 0
  }
  const search = createTokenSearch({ ...open, maxChecked: 4096, allows }, () => 0.5)
  const portions: unknown[] = []
  for (let found = search.run(logits.slice(), 4096); ; found = search.run(logits.slice(), 4096)) {
    portions.push(found)
    if (found !== 'paused') break
  }
  expect(portions).toEqual([...new Array(10).fill('paused'), { id: 0 }])
  expect([asked.length, new Set(asked).size]).toEqual([45_000, 45_000])
})
