import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSampling } from '../../../test/harness/engine-request.ts'
import { createToySequence, type ToyModel, toyEnd } from '../../../test/harness/toy-sequence.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { packGrammar } from '../../grammar/packed-grammar.ts'
import type { Sampling } from '../contract.ts'
import { fillSampling } from '../sampling.ts'
import { answer } from './answer.ts'
import { createHold } from './picking/hold.ts'

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

const run = async (model: ToyModel, wished: Partial<Sampling>, prompt = [3], signal = new AbortController().signal) => {
  const toy = createToySequence(model)
  const sampling = fillSampling({ ...openSampling, ...wished }, defaults, contextTokens)
  const hold = createHold(sampling, tokenBytes)
  const endsGeneration = (id: number) => id === toyEnd
  const { sequence } = toy
  const steps = await Array.fromAsync(
    answer({ sequence, prompt, sampling, hold, contextTokens, tokenBytes, endsGeneration, signal }),
  )
  const tokens = steps.filter((step) => step.type === 'token')
  const text = tokens.map(({ id }) => words[id]).join('')
  return { ...toy, tokens, text, end: steps.at(-1) }
}
const numbers = (length: number) => Array.from({ length }, (_, index) => (index % 6) + 1)
const stop = { type: 'end', reason: 'stop' }
const length = { type: 'end', reason: 'length' }

test('the end token ends it and is not part of it', async () => {
  const { text, end } = await run(saying(1, ['x', 'y', '', 'x']), {})
  expect([text, end]).toEqual(['xy', stop])
})

test('the limit of the request and the room in the context both end it', async () => {
  const limited = await run(saying(1, new Array(50).fill('x')), { maxTokens: 3 })
  expect([limited.text, limited.end]).toEqual(['xxx', length])
  const full = await run(saying(998, new Array(50).fill('x')), { maxTokens: 10 }, numbers(998))
  expect([full.text, full.end]).toEqual(['xx', length])
})

test('a prompt of any length is read once, in order, in short steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 500 }), async (length) => {
      const { reads } = await run(saying(length, []), {}, numbers(length))
      expect(reads.flat()).toEqual(numbers(length))
      expect(Math.max(...reads.map((step) => step.length))).toBeLessThanOrEqual(64)
    }),
  )
})

test('an abort while a long prompt is read stops after the step', async () => {
  const abort = new AbortController()
  const prompt = numbers(500)
  Object.defineProperty(prompt, 'slice', {
    value: (start: number, end: number) => {
      abort.abort(new Error('left'))
      return numbers(500).slice(start, end)
    },
  })
  await expect(run(saying(500, []), {}, prompt, abort.signal)).rejects.toThrow('left')
})

test('a stop id ends it like an end token', async () => {
  const { text, end } = await run(saying(1, ['x', '!', 'y']), { stopIds: [words.indexOf('!')] })
  expect([text, end]).toEqual(['x', stop])
})

test('no end comes before the least length, and none at all where ends are ignored', async () => {
  const model = saying(1, ['x', '', '!', ''], ['y'])
  const least = await run(model, { minTokens: 3, stopIds: [words.indexOf('!')] })
  expect([least.text, least.end]).toEqual(['xyy', stop])
  expect(least.asked).toEqual(['top', 'top', 'top', 'continue'])
  const endless = await run(model, { ignoreEnd: true, maxTokens: 6 })
  expect([endless.text, endless.end]).toEqual(['xy!yyy', length])
})

test('bias and penalties count the same in every way of picking', async () => {
  const shapings = fc.record({
    logitBias: fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: -9, max: 9 })), { maxLength: 3 }),
    penalty: fc.oneof(
      fc.record({ repetitionPenalty: fc.constantFrom(1, 1.3, 0.8) }),
      fc.record({ frequencyPenalty: fc.constantFrom(0, 0.7, -0.4), presencePenalty: fc.constantFrom(0, 1.1) }),
    ),
  })
  await fc.assert(
    fc.asyncProperty(shapings, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), async (shaping, prompt) => {
      const { logitBias, penalty } = shaping
      // The order in which the two are applied is llama.cpp's in one way and ours in the other.
      const bias = 'repetitionPenalty' in penalty ? [] : [...new Map(logitBias)]
      const wished = { logitBias: bias, ...penalty, maxTokens: 8 }
      const native = await run(whim, wished, prompt)
      const anything: Grammar = {
        root: 'any',
        rules: { any: { type: 'repeat', of: { type: 'class', ranges: [[0, 0x10ffff]] }, min: 0, max: null } },
      }
      const top = await run(whim, { ...wished, constraint: { grammar: packGrammar(anything), after: null } }, prompt)
      const full = await run(whim, { ...wished, topLogprobs: 2 }, prompt)
      expect([top.text, full.text]).toEqual([native.text, native.text])
      expect(new Set(native.asked)).toEqual(new Set(['continue']))
      expect(full.context()).toEqual(native.context())
    }),
  )
})

test('two kinds of penalties together, and the bias of an end token, are heeded', async () => {
  const model = saying(1, ['x', 'x', 'x'], ['y', '!'])
  const mixed = await run(model, { repetitionPenalty: 1.01, frequencyPenalty: 5, maxTokens: 3 })
  expect(mixed.text).toBe('xy!')
  expect((await run(model, { logitBias: [[toyEnd, 100]] })).text).toBe('')
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

test('an answer held to a grammar follows it, and ends with it, whatever the model likes', async () => {
  const model: fc.Arbitrary<ToyModel> = fc.infiniteStream(fc.nat({ max: 100 })).map((stream) => {
    const logits = [...stream.take(400)]
    return (context) => words.map((_, id) => (logits[(context.length * 8 + id) % 400] ?? 0) / 10)
  })
  const wishes = fc.record({
    temperature: fc.constantFrom(0, 1),
    topLogprobs: fc.constantFrom(null, 0),
    minTokens: fc.constantFrom(0, 9),
    ignoreEnd: fc.boolean(),
    seed: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(model, wishes, async (model, wished) => {
      const { text, end } = await run(model, { ...wished, constraint: { grammar: packGrammar(inBraces), after: null } })
      expect(text).toMatch(/^\{x{1,3}\}$/)
      expect(end).toEqual(stop)
    }),
  )
})

test('behind a text the grammar begins, and a token that would break it at once is drawn again', async () => {
  const constraint = { grammar: packGrammar(inBraces), after: 'y' }
  const { text, end, asked } = await run(saying(1, ['x', '!', 'y', '!', '{', 'x}']), { constraint })
  expect([text, end]).toEqual(['x!y{xx}', stop])
  expect(asked).toEqual(['continue', 'top', 'top', 'top'])
  const behind = { grammar: packGrammar(inBraces), after: '{' }
  const redrawn = await run(saying(1, ['!', '{x', '{'], ['y']), { constraint: behind, maxTokens: 5 })
  expect(redrawn.text).toBe('!y{{x')
  expect(redrawn.asked).toEqual(['continue', 'forget', 'all', 'continue', 'top', 'top'])
})

test('a grammar that no token can follow fails', async () => {
  const grammar: Grammar = { root: 'main', rules: { main: { type: 'text', text: 'z' } } }
  await expect(run(whim, { constraint: { grammar: packGrammar(grammar), after: null } })).rejects.toThrow(
    'no token of the vocabulary',
  )
})

test('probabilities are those of the model itself, with the likeliest beside them', async () => {
  const { tokens, asked } = await run(saying(1, ['x', ''], ['y', '!']), { topLogprobs: 2, logitBias: [[4, 100]] })
  const [first] = tokens
  expect(first?.id).toBe(words.indexOf('y'))
  expect(first?.logprob).toMatchObject({ rank: 1, top: [{ id: 3, bytes: Buffer.from('x') }, { id: 4 }] })
  expect(first?.logprob?.logprob).toBeCloseTo((first?.logprob?.top[0]?.logprob ?? 0) - 2)
  expect(asked).toEqual(new Array(asked.length).fill('all'))
})
