import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSampling } from '../../../test/harness/engine-request.ts'
import { compileGrammar } from '../../grammar/compile-grammar.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import type { Sampling } from '../contract.ts'
import { fillSampling } from '../sampling.ts'
import { type AnswerStep, createAnswer } from './answer.ts'
import { createAnswerConstraint } from './sampling/answer-constraint.ts'

const toyEnd = 0
/** A language model small enough for paper: any function from the tokens so far to a logit for each token. */
type ToyModel = (context: readonly number[]) => readonly number[]

const words = ['', '{', '}', 'x', 'y', '{x', 'x}', '!']
const tokenBytes = (id: number) => Buffer.from(words[id] ?? '')
const contextTokens = 1000
const defaults = { temperature: 0, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null }

/** Says these words, whatever it is asked; the words behind each other in `else` come next in likelihood. */
const saying =
  (promptTokens: number, says: string[], otherwise: string[] = []): ToyModel =>
  (context) => {
    const said = says[context.length - promptTokens] ?? ''
    return words.map((word, id) => {
      if (word === said) return 10
      return otherwise.includes(word) ? 8 - otherwise.indexOf(word) : -id
    })
  }
/** Another liking after each context, the same for the same one, and never two alike. */
const whim: ToyModel = (context) => {
  const sum = context.reduce((total, id) => (total * 31 + id + 7) % 1009, 1)
  return words.map((_, id) => ((sum * (id + 3) * 17) % 101) / 10 - 3 + id * 0.0137)
}

const run = (model: ToyModel, requested: Partial<Sampling>, prompt = [3]) => {
  const sampling = fillSampling({ ...openSampling, ...requested }, defaults, contextTokens)
  const constraint = createAnswerConstraint(sampling, tokenBytes)
  const endsGeneration = (id: number) => id === toyEnd
  const answer = createAnswer({ prompt, sampling, constraint, contextTokens, tokenBytes, endsGeneration })
  const tokens: NonNullable<AnswerStep['token']>[] = []
  for (;;) {
    const logits = Float32Array.from(model([...prompt, ...tokens.map(({ id }) => id)]))
    const before = Float32Array.from(logits)
    const step = answer.next(logits)
    expect(logits).toEqual(before)
    if (step === 'paused') throw new Error('a vocabulary this small is searched at once')
    const { token, end, endToken } = step
    if (token) tokens.push(token)
    if (end !== null) return { tokens, text: tokens.map(({ id }) => words[id]).join(''), end, endToken }
  }
}
const numbers = (length: number) => Array.from({ length }, (_, index) => (index % 6) + 1)

test('the end token ends it and is not part of it', () => {
  const { text, end } = run(saying(1, ['x', 'y', '', 'x']), {})
  expect([text, end]).toEqual(['xy', 'stop'])
})

test('the end token is reported if log probabilities of prompt and answer are wanted', () => {
  // The prompt's own come with another choice.
  const asked = [{ promptLogprobs: 1 }, { reportsEnd: true }] as const
  for (const more of asked) {
    const { endToken } = run(saying(1, ['x', '']), { topLogprobs: 1, ...more })
    expect(endToken).toMatchObject({ id: toyEnd, logprob: { rank: 0 } })
  }
  expect(run(saying(1, ['x', '']), { topLogprobs: 1 }).endToken).toBeUndefined()
})

test('without any tokens it ends at once', () => {
  const { tokens, end } = run(saying(1, ['x', 'y']), { maxTokens: 0 })
  expect([tokens, end]).toEqual([[], 'length'])
})

test('the limit of the request and the room in the context both end it', () => {
  const limited = run(saying(1, new Array(50).fill('x')), { maxTokens: 3 })
  expect([limited.text, limited.end]).toEqual(['xxx', 'length'])
  const full = run(saying(998, new Array(50).fill('x')), { maxTokens: 10 }, numbers(998))
  expect([full.text, full.end]).toEqual(['xx', 'length'])
})

test('a stop id ends it like an end token', () => {
  const { text, end } = run(saying(1, ['x', '!', 'y']), { stopIds: [words.indexOf('!')] })
  expect([text, end]).toEqual(['x', 'stop'])
})

test('no end comes before the least length, and none at all where ends are ignored', () => {
  const model = saying(1, ['x', '', '!', ''], ['y'])
  const least = run(model, { minTokens: 3, stopIds: [words.indexOf('!')] })
  expect([least.text, least.end]).toEqual(['xyy', 'stop'])
  const endless = run(model, { ignoreEnd: true, maxTokens: 6 })
  expect([endless.text, endless.end]).toEqual(['xy!yyy', 'length'])
})

test('bias and penalties count the same beside a grammar and with probabilities', () => {
  const shapings = fc.record({
    logitBias: fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: -9, max: 9 })), { maxLength: 3 }),
    penalty: fc.oneof(
      fc.record({ repetitionPenalty: fc.constantFrom(1, 1.3, 0.8) }),
      fc.record({ frequencyPenalty: fc.constantFrom(0, 0.7, -0.4), presencePenalty: fc.constantFrom(0, 1.1) }),
    ),
  })
  fc.assert(
    fc.property(shapings, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (shaping, prompt) => {
      const { logitBias, penalty } = shaping
      const requested = { logitBias: [...new Map(logitBias)], ...penalty, maxTokens: 8 }
      const plain = run(whim, requested, prompt)
      const anything: Grammar = {
        root: 'any',
        rules: { any: { type: 'repeat', of: { type: 'class', ranges: [[0, 0x10ffff]] }, min: 0, max: null } },
      }
      const constrained = run(
        whim,
        { ...requested, constraint: { grammar: compileGrammar(anything), after: null } },
        prompt,
      )
      const withLogprobs = run(whim, { ...requested, topLogprobs: 2 }, prompt)
      expect([constrained.text, withLogprobs.text]).toEqual([plain.text, plain.text])
    }),
  )
})

test('two kinds of penalties together, and the bias of an end token, are heeded', () => {
  const model = saying(1, ['x', 'x', 'x'], ['y', '!'])
  const mixed = run(model, { repetitionPenalty: 1.01, frequencyPenalty: 5, maxTokens: 3 })
  expect(mixed.text).toBe('xy!')
  expect(run(model, { logitBias: [[toyEnd, 100]] }).text).toBe('')
})

const inBraces: Grammar = {
  root: 'main',
  rules: {
    main: {
      type: 'sequence',
      of: [
        { type: 'text', text: '{' },
        { type: 'repeat', of: { type: 'text', text: 'x' }, min: 1, max: 3 },
        { type: 'text', text: '}' },
      ],
    },
  },
}

test('a constrained answer follows its grammar, and ends with it, whatever the model likes', () => {
  const model: fc.Arbitrary<ToyModel> = fc.infiniteStream(fc.nat({ max: 100 })).map((stream) => {
    const logits = [...stream.take(400)]
    return (context) => words.map((_, id) => (logits[(context.length * 8 + id) % 400] ?? 0) / 10)
  })
  const options = fc.record({
    temperature: fc.constantFrom(0, 1),
    topLogprobs: fc.constantFrom(null, 0),
    minTokens: fc.constantFrom(0, 9),
    ignoreEnd: fc.boolean(),
    seed: fc.nat(),
  })
  fc.assert(
    fc.property(model, options, (model, requested) => {
      const { text, end } = run(model, { ...requested, constraint: { grammar: compileGrammar(inBraces), after: null } })
      expect(text).toMatch(/^\{x{1,3}\}$/)
      expect(end).toBe('stop')
    }),
  )
})

test('behind a text the grammar begins, and a token that would break it at once is not sampled', () => {
  const constraint = { grammar: compileGrammar(inBraces), after: 'y' }
  const { text, end } = run(saying(1, ['x', '!', 'y', '!', '{', 'x}']), { constraint })
  expect([text, end]).toEqual(['x!y{xx}', 'stop'])
  const behind = { grammar: compileGrammar(inBraces), after: '{' }
  const another = run(saying(1, ['!', '{x', '{'], ['y']), { constraint: behind, maxTokens: 5 })
  expect(another.text).toBe('!y{{x')
})

test('a grammar that no token can follow fails', () => {
  const grammar: Grammar = { root: 'main', rules: { main: { type: 'text', text: 'z' } } }
  expect(() => run(whim, { constraint: { grammar: compileGrammar(grammar), after: null } })).toThrow(
    'no token of the vocabulary',
  )
})

test('probabilities are those of the model itself, with the likeliest beside them', () => {
  const { tokens } = run(saying(1, ['x', ''], ['y', '!']), { topLogprobs: 2, logitBias: [[4, 100]] })
  const [first] = tokens
  expect(first?.id).toBe(words.indexOf('y'))
  expect(first?.logprob).toMatchObject({ rank: 1, top: [{ id: 3, bytes: Buffer.from('x') }, { id: 4 }] })
  expect(first?.logprob?.logprob).toBeCloseTo((first?.logprob?.top[0]?.logprob ?? 0) - 2)
})

const wideTokens = 10_000
/** Token 0 is the end; only one other token fits, and it is among the least likely. */
const wideBytes = (id: number) => Buffer.from(id === wideTokens - 1 ? 'z' : 'a')
const wideAnswer = (fitting: string, requested: Partial<Sampling>) => {
  const grammar: Grammar = { root: 'main', rules: { main: { type: 'text', text: fitting } } }
  const constraint = { grammar: compileGrammar(grammar), after: null }
  const sampling = fillSampling({ ...openSampling, ...requested, constraint }, defaults, contextTokens)
  return createAnswer({
    prompt: [3],
    sampling,
    constraint: createAnswerConstraint(sampling, wideBytes),
    contextTokens,
    tokenBytes: wideBytes,
    endsGeneration: (id) => id === toyEnd,
  })
}
const wideLogits = () => Float32Array.from({ length: wideTokens }, (_, id) => -id / 250)
/** The steps of an answer whose searches continue in such portions, after the model has overwritten its logits. */
const wideSteps = (fitting: string, requested: Partial<Sampling>, portionOf: (call: number) => number) => {
  const answer = wideAnswer(fitting, requested)
  const steps: AnswerStep[] = []
  let calls = 0
  for (const _ of fitting) {
    const logits = wideLogits()
    let step = answer.next(logits)
    expect(Buffer.from(logits.buffer).equals(Buffer.from(wideLogits().buffer))).toBe(true)
    expect(step).toBe('paused')
    logits.fill(Number.NaN)
    for (; step === 'paused' && calls < wideTokens; calls += 1) step = answer.resume(portionOf(calls))
    if (step !== 'paused') steps.push(step)
  }
  return steps
}

test('where no likely token fits the search pauses, and its portions change neither token nor probabilities', () => {
  const requested = fc.record({
    temperature: fc.constantFrom(0, 1),
    topLogprobs: fc.constantFrom(null, 3),
    repetitionPenalty: fc.constantFrom(1, 1.3),
    logitBias: fc.constantFrom<[number, number][]>([], [[5, -50]]),
    seed: fc.nat(),
  })
  const portions = fc.array(fc.integer({ min: 100, max: 1500 }), { minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(requested, portions, (requested, portions) => {
      const steps = wideSteps('zz', requested, (call) => portions[call % portions.length] ?? 1)
      expect(steps.map(({ token }) => token?.id)).toEqual([wideTokens - 1, wideTokens - 1])
      if (requested.topLogprobs !== null)
        expect(steps[0]?.token?.logprob).toMatchObject({ rank: wideTokens - 1, top: [{ id: 0 }, { id: 1 }, { id: 2 }] })
      expect(steps).toEqual(wideSteps('zz', requested, () => Number.POSITIVE_INFINITY))
    }),
    { numRuns: 20 },
  )
})

test('a grammar that no token can follow fails at the end of the search', () => {
  const answer = wideAnswer('q', {})
  expect([answer.next(wideLogits()), answer.resume(3000)]).toEqual(['paused', 'paused'])
  expect(() => answer.resume(3000)).toThrow('no token of the vocabulary')
})
