import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breakEvenShare, createDraftPolicy, draftTokens } from './draft-policy.ts'

const accepted = fc.integer({ min: 0, max: draftTokens })

/** Runs a policy until `tokens` are generated; `results` are the accepted tokens of each draft, repeated. */
const run = (results: readonly number[], tokens: number) => {
  const policy = createDraftPolicy()
  let [generated, drafts, gained] = [0, 0, 0]
  while (generated < tokens) {
    const drafted = policy.shouldDraft() ? draftTokens : 0
    const hits = drafted > 0 ? (results[drafts % results.length] ?? 0) : 0
    policy.observe({ drafted, accepted: hits })
    generated += 1 + hits
    if (drafted > 0) drafts += 1
    gained += hits - drafted * breakEvenShare
  }
  return { drafts, gained, isPaused: !policy.shouldDraft() }
}

test('while enough drafted tokens are accepted, every step drafts', () => {
  const enough = fc.integer({ min: Math.ceil(draftTokens * breakEvenShare), max: draftTokens })
  fc.assert(
    fc.property(fc.array(enough, { minLength: 1 }), (results) => {
      const policy = createDraftPolicy()
      for (const hits of results) {
        expect(policy.shouldDraft()).toBe(true)
        policy.observe({ drafted: draftTokens, accepted: hits })
      }
    }),
  )
})

test('drafts that are never accepted stop after two, and are tried again ever more rarely', () => {
  expect([1, 10, 100, 1000, 10_000].map((tokens) => run([0], tokens).drafts)).toEqual([1, 2, 3, 6, 14])
})

test('whatever is accepted, an answer loses no more than the attempts after its pauses cost', () => {
  fc.assert(
    fc.property(fc.array(accepted, { minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 2000 }), (...given) => {
      const [results, tokens] = given
      const { gained } = run(results, tokens)
      const cost = draftTokens * breakEvenShare
      // The first attempt ends at a loss of two drafts, later ones at one, and each with less than one draft more.
      const pauses = 1 + tokens / 64
      expect(gained).toBeGreaterThanOrEqual(-cost * (3 + 2 * pauses))
    }),
  )
})

test('after a pause, success leads back to drafting in every step', () => {
  const policy = createDraftPolicy()
  for (let drafts = 0; drafts < 2; drafts += 1) policy.observe({ drafted: draftTokens, accepted: 0 })
  expect(policy.shouldDraft()).toBe(false)
  for (let step = 0; step < 64; step += 1) policy.observe({ drafted: 0, accepted: 0 })
  for (let drafts = 0; drafts < 5; drafts += 1) {
    expect(policy.shouldDraft()).toBe(true)
    policy.observe({ drafted: draftTokens, accepted: draftTokens })
  }
  expect(policy.shouldDraft()).toBe(true)
})

test('steps in which nothing was found to draft do not count', () => {
  const policy = createDraftPolicy()
  for (let step = 0; step < 1000; step += 1) policy.observe({ drafted: 0, accepted: 0 })
  expect(policy.shouldDraft()).toBe(true)
})
