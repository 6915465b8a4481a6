import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Account, CallRecord, Case, RunRecord } from './evidence.ts'
import { judge } from './judge.ts'

const call = (changes: Partial<CallRecord> = {}): CallRecord => ({
  ...{ question: 'none-1', isKeyed: false, how: 'complete', hasEnded: true, promptTokens: 8 },
  ...{ receivedTokens: 60, answerTokens: 60, isGenuine: true, finishReason: 'stop', malformed: 0 },
  ...changes,
})
const run = (sentTokens: number, question = 'none-1'): RunRecord => ({ question, promptTokens: 8, sentTokens })
const billed = (completionTokens: number, changes: Partial<Account> = {}): Account => ({
  ...{ requests: 1, promptTokens: 8, completionTokens, chargedTokens: 8 + completionTokens },
  ...changes,
})
const faultless = { lostTokens: 0, twiceTokens: 0, excessTokens: 0, heldTokens: 0, over: null, wrongAnswers: 0 }

describe('What is billed', () => {
  test('is right if it is what the client received', () => {
    const judgement = judge([{ calls: [call()], runs: [run(60)], account: billed(60), limit: null }])
    expect(judgement).toMatchObject({ ...faultless, complete: 1, receivedTokens: 60, billedTokens: 60 })
  })

  test('is lost if the client received it and there is no record', () => {
    const account = { requests: 0, promptTokens: 0, completionTokens: 0, chargedTokens: 0 }
    const broken = call({ how: 'broken', hasEnded: false, receivedTokens: 40 })
    expect(judge([{ calls: [broken], runs: [run(41)], account, limit: null }])).toMatchObject({
      ...{ ...faultless, lostTokens: 40, errors: 1 },
    })
  })

  test('of a client that left may be what was on its way, and no more', () => {
    const left = call({ how: 'left', hasEnded: false, receivedTokens: 20 })
    const bill = (tokens: number) => judge([{ calls: [left], runs: [run(25)], account: billed(tokens), limit: null }])
    expect([bill(19).lostTokens, bill(20).lostTokens, bill(25).excessTokens, bill(26).excessTokens]).toEqual([
      1, 0, 0, 1,
    ])
  })

  test('is not made right by what another key was billed too much', () => {
    const one = { calls: [call()], runs: [run(60)], account: billed(50), limit: null }
    const other = { calls: [call()], runs: [run(60)], account: billed(70), limit: null }
    expect(judge([one, other])).toMatchObject({ lostTokens: 10, excessTokens: 10 })
  })

  test('without a record is held', () => {
    const account = billed(60, { chargedTokens: 668 })
    expect(judge([{ calls: [call()], runs: [run(60)], account, limit: null }]).heldTokens).toBe(600)
  })
})

describe('One Idempotency-Key', () => {
  const keyed = (changes: Partial<CallRecord> = {}): CallRecord => call({ isKeyed: true, ...changes })

  test('costs one answer, however often it was sent', () => {
    const calls = [keyed(), keyed(), keyed()]
    const bill = (tokens: number) => judge([{ calls, runs: [run(60)], account: billed(tokens), limit: null }])
    expect(bill(60)).toMatchObject(faultless)
    expect(bill(180)).toMatchObject({ ...faultless, twiceTokens: 120 })
    expect(bill(59).lostTokens).toBe(1)
  })

  test('may also cost what an attempt delivered that broke off', () => {
    const calls = [keyed({ how: 'broken', hasEnded: false, receivedTokens: 40 }), keyed()]
    const bill = (tokens: number) => judge([{ calls, runs: [run(42), run(60)], account: billed(tokens), limit: null }])
    expect([bill(60), bill(100)]).toEqual([expect.objectContaining(faultless), expect.objectContaining(faultless)])
    expect(bill(101).twiceTokens).toBe(1)
  })
})

describe('A limit', () => {
  test('of tokens counts prompts and answers that clients received, whatever was billed', () => {
    const calls = Array.from({ length: 10 }, (_, index) => call({ question: `none-${index}` }))
    const runs = calls.map(({ question }) => run(60, question))
    const over = (amount: number) =>
      judge([{ calls, runs, account: billed(0), limit: { kind: 'tokens', amount } }]).over
    expect([over(679), over(680), over(681)]).toEqual([1, 0, 0])
  })

  test('of requests counts those that were answered', () => {
    const refused = call({ how: 'refused', receivedTokens: 0, finishReason: null })
    const calls = [call(), call({ question: 'none-2' }), refused]
    const limit = { kind: 'requests', amount: 1 } as const
    expect(judge([{ calls, runs: [], account: billed(120), limit }])).toMatchObject({ over: 1, errors: 1 })
  })

  test('may cut an answer short if the answer says so', () => {
    const short = call({ receivedTokens: 10, finishReason: 'length' })
    const limit = { kind: 'tokens', amount: 18 } as const
    expect(judge([{ calls: [short], runs: [run(10)], account: billed(10), limit }]).wrongAnswers).toBe(0)
    expect(judge([{ calls: [short], runs: [run(10)], account: billed(10), limit: null }]).wrongAnswers).toBe(1)
  })
})

describe('An answer is wrong', () => {
  const cases: [string, Partial<CallRecord>, number][] = [
    ['if it ends as if it were complete, and is not', { receivedTokens: 20 }, 1],
    ['if its response just ends', { how: 'broken', receivedTokens: 20 }, 1],
    ['if it contains something else', { isGenuine: false, receivedTokens: 0 }, 1],
    ['if the client waits in vain', { how: 'silent', hasEnded: false, receivedTokens: 20 }, 1],
    ['if an event cannot be understood', { malformed: 1 }, 1],
    ['not if it breaks off visibly', { how: 'broken', hasEnded: false, receivedTokens: 20 }, 0],
    ['not if it ends with an error', { how: 'failed', receivedTokens: 20 }, 0],
    ['not if something comes after an error', { how: 'failed', receivedTokens: 20, malformed: 1 }, 0],
    ['not if it is refused', { how: 'refused', receivedTokens: 0, finishReason: null }, 0],
  ]
  test.each(cases)('%s', (_, changes, wrongAnswers) => {
    const one = call(changes)
    const account = billed(one.receivedTokens)
    expect(judge([{ calls: [one], runs: [run(60)], account, limit: null }]).wrongAnswers).toBe(wrongAnswers)
  })
})

describe('For any calls and any bill', () => {
  const anyCall = fc.record<CallRecord>({
    question: fc.constantFrom('none-1', 'none-2'),
    isKeyed: fc.boolean(),
    how: fc.constantFrom('complete', 'failed', 'refused', 'left', 'broken', 'silent'),
    ...{ hasEnded: fc.boolean(), isGenuine: fc.boolean(), promptTokens: fc.nat(20) },
    ...{ receivedTokens: fc.nat(60), answerTokens: fc.constant(60), malformed: fc.nat(1) },
    finishReason: fc.constantFrom('stop', 'length', null),
  })
  const anyCase = fc.record<Case>({
    calls: fc.array(anyCall, { maxLength: 6 }),
    runs: fc.array(fc.record({ question: fc.constant('none-1'), promptTokens: fc.nat(20), sentTokens: fc.nat(60) })),
    account: fc.record({
      ...{ requests: fc.nat(9), promptTokens: fc.nat(99), completionTokens: fc.nat(400), chargedTokens: fc.nat(900) },
    }),
    limit: fc.option(fc.record({ kind: fc.constantFrom('tokens', 'requests'), amount: fc.nat(300) })),
  })
  const billing = (one: Case, completionTokens: number): Case => ({
    ...one,
    account: { ...one.account, completionTokens },
  })

  test('nothing is both lost and billed too much', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { lostTokens, twiceTokens, excessTokens } = judge([one])
        expect(lostTokens === 0 || twiceTokens + excessTokens === 0).toBe(true)
        expect(twiceTokens === 0 || excessTokens === 0).toBe(true)
      }),
    )
  })

  test('a bill without what was lost or too much is right', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const { billedTokens, lostTokens, twiceTokens, excessTokens } = judge([one])
        const corrected = judge([billing(one, billedTokens + lostTokens - twiceTokens - excessTokens)])
        expect(corrected).toMatchObject({ lostTokens: 0, twiceTokens: 0, excessTokens: 0 })
      }),
    )
  })

  test('cases add up', () => {
    fc.assert(
      fc.property(anyCase, anyCase, (one, other) => {
        const [first, second, both] = [judge([one]), judge([other]), judge([one, other])]
        for (const field of ['lostTokens', 'twiceTokens', 'excessTokens', 'heldTokens', 'wrongAnswers'] as const)
          expect(both[field]).toBe(first[field] + second[field])
        expect(both.over ?? 0).toBe((first.over ?? 0) + (second.over ?? 0))
      }),
    )
  })

  test('a larger bill loses less and is too much by more', () => {
    fc.assert(
      fc.property(anyCase, fc.nat(100), (one, more) => {
        const [less, larger] = [judge([one]), judge([billing(one, one.account.completionTokens + more)])]
        expect(larger.lostTokens).toBeLessThanOrEqual(less.lostTokens)
        expect(larger.twiceTokens + larger.excessTokens).toBeGreaterThanOrEqual(less.twiceTokens + less.excessTokens)
      }),
    )
  })
})
