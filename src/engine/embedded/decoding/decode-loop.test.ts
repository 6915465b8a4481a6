import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createLoop,
  expectedAnswer,
  numbers,
  repeated,
  repeatingModel,
} from '../../../../test/harness/toy-decode-loop.ts'

test('answers are those of a single stream, whatever runs beside them and whatever was cached', async () => {
  const request = fc.record({
    promptTokens: fc.integer({ min: 1, max: 300 }),
    from: fc.constantFrom(0, 1),
    length: fc.integer({ min: 1, max: 6 }),
    scope: fc.constantFrom('a', 'b'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (...given) => {
        const [requests, sequences] = given
        const { add, tokensOf } = createLoop(sequences)
        const prompts = requests.map(({ promptTokens, from }) => numbers(promptTokens, from))
        await Promise.all(requests.map(({ length, scope }, id) => add(id, prompts[id] ?? [], length, scope)))
        for (const [id, { length }] of requests.entries())
          expect(tokensOf(id)).toEqual(expectedAnswer(prompts[id] ?? [], length))
      },
    ),
    { numRuns: 50 },
  )
})

test('every running answer gets a token in each step while a long prompt is read', async () => {
  const { add, llama, steps } = createLoop(2)
  const short = add(1, [5], 30)
  const { promise: joined, resolve: join } = Promise.withResolvers<void>()
  llama.onStep(async (step) => {
    if (step === 3) join()
  })
  await joined
  const long = add(2, numbers(2000), 2)
  await Promise.all([short, long])
  const firstOfLong = steps.findIndex((events) => events.some(({ id }) => id === 2))
  expect(firstOfLong).toBeGreaterThan(5)
  for (const events of steps.slice(0, Math.min(30, firstOfLong))) expect(events.some(({ id }) => id === 1)).toBe(true)
})

test('beside the flood of one organisation, the first token of another takes no more steps than alone', async () => {
  const stepsToFirst = async (flood: number): Promise<number> => {
    const { add, llama, steps } = createLoop(8)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    llama.onStep(async (step) => {
      if (step === 5) begin()
    })
    const others = Array.from({ length: flood }, (_, id) => add(id, numbers(3000, id), 1, 'flood'))
    const answer = add(7, [1], 30, 'calm')
    await begun
    const from = steps.length
    await add(8, numbers(1400, 50), 1, 'other')
    const first = steps.findIndex((events) => events.some(({ id }) => id === 8))
    await Promise.all([answer, ...others])
    return first - from
  }
  expect(await stepsToFirst(6)).toBeLessThanOrEqual(await stepsToFirst(0))
})

test('a request joins at the next step, and what a step brings goes out at once', async () => {
  const { add, steps } = createLoop(3)
  await Promise.all([add(1, [1], 4), add(2, [2], 4), add(3, [3], 4)])
  expect(steps.map((events) => events.length)).toEqual([3, 3, 3, 3])
})

test('a cancelled answer leaves at the next step, and nothing more is said of it', async () => {
  const { loop, add, llama, eventsOf } = createLoop(2)
  void add(1, [1], 1000)
  const other = add(2, [2], 6)
  llama.onStep(async (step) => {
    if (step === 3) loop.cancel(1)
  })
  await other
  expect(eventsOf(1)).toHaveLength(2)
  expect(
    llama.batches
      .slice(3)
      .flat()
      .map(({ sequence }) => sequence),
  ).not.toContain(0)
  expect(llama.batches.length).toBe(6)
})

test('a cancelled prompt is not read on, and gives its place to the next', async () => {
  const { loop, add, llama, tokensOf } = createLoop(1)
  void add(1, numbers(5000, 7), 1)
  const next = add(2, [3], 2)
  llama.onStep(async (step) => {
    if (step === 2) loop.cancel(1)
  })
  await next
  expect(tokensOf(2)).toEqual(expectedAnswer([3], 2))
  expect(llama.batches.length).toBe(4)
})

test('the same prompt again is not read again, in its scope only', async () => {
  const { add, cachedOf, tokensOf } = createLoop(2)
  const prompt = numbers(200)
  await add(1, prompt, 2)
  await add(2, prompt, 2)
  await add(3, prompt, 2, 'b')
  await add(4, [...prompt, ...expectedAnswer(prompt, 2).slice(0, 1), 5, 5], 2)
  expect([1, 2, 3, 4].map(cachedOf)).toEqual([0, 200, 0, 201])
  for (const id of [1, 2, 3]) expect(tokensOf(id)).toEqual(expectedAnswer(prompt, 2))
})

test('several answers to one prompt at once read it once', async () => {
  const { add, llama, cachedOf, tokensOf } = createLoop(4)
  const prompt = numbers(1000)
  await Promise.all([1, 2, 3, 4].map((id) => add(id, prompt, 3)))
  const read = llama.batches.flat().reduce((sum, { tokens }) => sum + tokens.length, 0)
  expect(read).toBe(1000 + 4 * 2)
  expect([1, 2, 3, 4].map(cachedOf)).toEqual([0, 1000, 1000, 1000])
  for (const id of [1, 2, 3, 4]) expect(tokensOf(id)).toEqual(expectedAnswer(prompt, 3))
})

test('many answers to one short prompt read it once for each sequence', async () => {
  const { add, llama, tokensOf } = createLoop(3)
  const prompt = numbers(30)
  await Promise.all(numbers(20).map((id) => add(id, prompt, 50)))
  const read = llama.batches.flat().reduce((sum, { tokens }) => sum + tokens.length, 0)
  expect(read).toBe(3 * 30 + 20 * 49)
  for (const id of numbers(20)) expect(tokensOf(id)).toEqual(expectedAnswer(prompt, 50))
})

test('where memory cannot be cut back the prompt is read from its beginning', async () => {
  const { add, llama, cachedOf, tokensOf } = createLoop(1)
  const prompt = numbers(100)
  await add(1, prompt, 2)
  const { keep } = llama
  llama.keep = (sequence, tokens) => {
    keep(sequence, 0)
    return tokens === 0
  }
  await add(2, prompt, 2)
  expect([cachedOf(2), tokensOf(2)]).toEqual([0, expectedAnswer(prompt, 2)])
})

test('a step that fails ends all answers in it, and what they had in memory is forgotten', async () => {
  const { loop, add, llama, eventsOf, tokensOf, cachedOf } = createLoop(2)
  llama.failNext(new Error('broken'))
  await Promise.all([add(1, numbers(80), 3), add(2, [2], 3)])
  expect([eventsOf(1), eventsOf(2)]).toEqual([
    [{ type: 'failed', id: 1, error: new Error('broken') }],
    [{ type: 'failed', id: 2, error: new Error('broken') }],
  ])
  expect(loop.progress()).toEqual({ steps: 1, isStepping: false, cacheUse: 0 })
  await add(3, numbers(80), 2)
  expect([cachedOf(3), tokensOf(3)]).toEqual([0, expectedAnswer(numbers(80), 2)])
})

test('an answer that fails by itself does not disturb the others', async () => {
  const { loop, add, eventsOf, tokensOf } = createLoop(3)
  const fail = () => {
    throw new Error('no token fits')
  }
  loop.add({ id: 1, prompt: [1], answer: { isEmpty: false, next: fail, resume: fail }, scope: 'a' })
  loop.add({ id: 2, prompt: [1, 2], answer: { isEmpty: false, next: () => 'paused', resume: fail }, scope: 'a' })
  await add(3, [2], 3)
  for (const id of [1, 2]) expect(eventsOf(id)).toEqual([{ type: 'failed', id, error: new Error('no token fits') }])
  expect(tokensOf(3)).toEqual(expectedAnswer([2], 3))
})

test('steps are counted, and one under way is known', async () => {
  const { loop, add, llama } = createLoop(1)
  const seen: unknown[] = []
  llama.onStep(async () => {
    seen.push(loop.progress())
  })
  await add(1, [1], 2)
  expect(seen).toMatchObject([
    { steps: 0, isStepping: true },
    { steps: 1, isStepping: true },
  ])
})

test('the use of the cache grows with each token, and stays with what is kept for later prompts', async () => {
  const { loop, add, llama } = createLoop(2)
  const uses: number[] = []
  llama.onStep(async () => {
    uses.push(Math.round((loop.progress().cacheUse ?? 0) * 2 * llama.contextTokens))
  })
  await add(1, numbers(10), 3)
  await add(2, [2], 1)
  expect(uses).toEqual([0, 10, 11, 12])
})

test('among random aborts the others are answered as they would be alone', async () => {
  const { loop, add, llama, tokensOf } = createLoop(4)
  const random = (of: number, seed: number) => ((seed * 7919 + 13) % 104_729) % of
  const prompts = Array.from({ length: 200 }, (_, id) => numbers(1 + random(400, id), random(3, id)))
  // Even ones are aborted at some time, odd ones never.
  llama.onStep(async (step) => loop.cancel(2 * random(100, step)))
  const kept = prompts.flatMap((prompt, id) => {
    const ended = add(id, prompt, 1 + random(8, id))
    return id % 2 === 1 ? [{ id, prompt, ended }] : []
  })
  await Promise.all(kept.map(({ ended }) => ended))
  for (const { id, prompt } of kept) expect(tokensOf(id)).toEqual(expectedAnswer(prompt, 1 + random(8, id)))
})

test('with drafts an answer is the same in fewer steps, and its tokens are counted one by one', async () => {
  const prompt = [1, 2, 3, 4, 5, 6, 7]
  const runWith = async (speculates: boolean) => {
    const { add, llama, tokensOf, eventsOf } = createLoop(2, { speculates, model: repeatingModel })
    await add(1, prompt, 100)
    expect(tokensOf(1)).toEqual(repeated(prompt, 100))
    expect(eventsOf(1).map((event) => event.type === 'step' && event.completionTokens)).toEqual(numbers(100, 1))
    // What remains in memory is the text, and can be continued.
    await add(2, [...prompt, ...repeated(prompt, 100)], 2)
    expect(tokensOf(2)).toEqual(repeated([...prompt, ...repeated(prompt, 100)], 2))
    return llama.batches.length
  }
  expect(await runWith(true)).toBeLessThan(0.6 * (await runWith(false)))
})

test('drafts are for a single answer only, and for memory whose end can be removed', async () => {
  const draftsOf = async (answers: number, canRemoveEnd: boolean) => {
    const { add, llama, tokensOf } = createLoop(4, { speculates: true, model: repeatingModel })
    llama.canRemoveEnd = canRemoveEnd
    await Promise.all(numbers(answers).map((id) => add(id, [1, 2, 3, 4, 5, 6, id], 50)))
    for (const id of numbers(answers)) expect(tokensOf(id)).toEqual(repeated([1, 2, 3, 4, 5, 6, id], 50))
    return llama.batches.flat().filter(({ isDraft }) => isDraft).length
  }
  expect(await draftsOf(1, true)).toBeGreaterThan(0)
  expect(await draftsOf(2, true)).toBe(0)
  expect(await draftsOf(1, false)).toBe(0)
})

test('among random prompts and aborts, drafts change no answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 }),
      fc.nat(30),
      async (...given) => {
        const [prompt, abortedAt] = given
        const { loop, add, llama, tokensOf } = createLoop(2, { speculates: true, model: repeatingModel })
        void add(1, prompt, 200)
        llama.onStep(async (step) => {
          if (step === abortedAt + 1) loop.cancel(1)
        })
        const next = add(2, [...prompt, 5], 60)
        await next
        expect(tokensOf(2)).toEqual(repeated([...prompt, 5], 60))
      },
    ),
    { numRuns: 30 },
  )
})

test('tokens of quick steps are sent together, and before a step that reads a prompt', async () => {
  const { add, llama, steps, tokensOf } = createLoop(2, { emitIntervalMs: 1 })
  const first = add(1, [1], 8)
  let second: Promise<void> | undefined
  llama.onStep(async (step) => {
    if (step === 4) second = add(2, [2], 1)
  })
  await first
  await second
  expect(steps.map((events) => events.length)).toEqual([1, 3, 2, 3])
  expect(tokensOf(1)).toEqual(expectedAnswer([1], 8))
})

test('nothing more is said of a cancelled answer whose tokens wait', async () => {
  const { loop, add, llama, eventsOf } = createLoop(2, { emitIntervalMs: 1 })
  void add(1, [1], 1000)
  const other = add(2, [2], 6)
  llama.onStep(async (step) => {
    if (step === 3) loop.cancel(1)
  })
  await other
  expect(eventsOf(1)).toHaveLength(1)
})

test('a sequence between running ones reads along, and its content stays as it was', async () => {
  const { add, llama, tokensOf, cachedOf } = createLoop(3)
  const [left, middle, right] = [numbers(80), numbers(80, 100), numbers(80, 200)]
  const others = [add(1, left, 30), add(2, middle, 4), add(3, right, 30)]
  await Promise.all(others)
  expect(tokensOf(1)).toEqual(expectedAnswer(left, 30))
  expect(tokensOf(3)).toEqual(expectedAnswer(right, 30))
  // All three are in each batch of single tokens, also after the second answer has ended.
  const singles = llama.batches.filter(
    (slices) => slices.length > 1 && slices.every(({ tokens }) => tokens.length === 1),
  )
  expect(singles.length).toBeGreaterThan(25)
  for (const slices of singles) expect(slices.map(({ sequence }) => sequence).sort()).toEqual([0, 1, 2])
  const said = expectedAnswer(middle, 4)
  expect(llama.contexts[1]).toEqual([...middle, ...said.slice(0, -1)])
  await add(4, [...middle, ...said, 5], 3)
  expect(cachedOf(4)).toBe(83)
  expect(tokensOf(4)).toEqual(expectedAnswer([...middle, ...said, 5], 3))
})

test('after a failed step, sequences that only read along are as before', async () => {
  const { add, llama, cachedOf, tokensOf } = createLoop(3)
  const prompts = [numbers(80), numbers(80, 100), numbers(80, 200)]
  const failing = prompts.map((prompt, index) => add(index, prompt, index === 1 ? 4 : 30))
  await failing[1]
  llama.failNext(new Error('out of memory'))
  await Promise.all(failing)
  expect(llama.contexts.map(({ length }) => length)).toEqual([0, 83, 0])
  await add(7, [...(prompts[1] ?? []), 3], 2)
  expect(cachedOf(7)).toBe(80)
  expect(tokensOf(7)).toEqual(expectedAnswer([...(prompts[1] ?? []), 3], 2))
})
