import { expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import type { Script } from '../../src/engine/scripted.ts'
import { askBothWays } from '../harness/ask-both-ways.ts'
import { claimServer } from '../harness/browser-session.ts'
import { callText } from '../harness/call-text.ts'
import { joinChunks } from '../harness/join-chunks.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { readChunks, readEvents } from '../harness/read-events.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

/** `n`: several answers to one prompt. */
const bySeed: Script = (_, { seed }) => ['seed ', `${seed}`, '.']
/** How many wait for a slot, as the owner of the server sees it. */
const watchQueue = async (helix: Helix) => {
  const owner = await claimServer(helix)
  return async () => {
    const shown = (await (await owner.get('/admin/engine')).json()) as { slots: { waiting: number } }
    return shown.slots.waiting
  }
}
const ask = (content: string) => ({ messages: [{ role: 'user', content }] })

test('with three choices there are three answers, and the prompt is counted once', async () => {
  const helix = await startHelix({ answer: bySeed })
  const { choices, usage } = await askBothWays(helix, { n: 3, seed: 7 })
  expect(choices.map(({ index, message }) => [index, message.content])).toEqual([
    [0, 'seed 7.'],
    [1, 'seed 8.'],
    [2, 'seed 9.'],
  ])
  expect(usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 9, total_tokens: 11 })
})

test('without a seed every choice is random, and the largest seed wraps around', async () => {
  const helix = await startHelix({ answer: bySeed })
  const free = await askBothWays(helix, { n: 2 })
  expect(free.choices.map(({ message }) => message.content)).toEqual(['seed null.', 'seed null.'])
  const round = await askBothWays(helix, { n: 2, seed: 2 ** 32 - 1 })
  expect(round.choices.map(({ message }) => message.content)).toEqual(['seed 4294967295.', 'seed 0.'])
})

test('streamed choices run in parallel, each with its own role and finish', async () => {
  const helix = await startHelix({ engine: { slots: 4 }, answer: () => ['a', 'b', 'c'] })
  const chunks = await readChunks(await helix.chat({ n: 3, stream: true }))
  const order = chunks.map(({ choices }) => choices[0]?.index)
  expect(order.slice(0, 6).toSorted()).toEqual([0, 0, 1, 1, 2, 2])
  const joined = joinChunks(chunks)
  expect(joined.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual(
    Array.from({ length: 3 }, () => ['abc', 'stop']),
  )
})

test('choices may call, contain text or be cut off independently', async () => {
  const answers = [[callText('f', { a: 1 })], ['Hello'], ['1', '2', '3', '4']]
  const helix = await startHelix({ answer: (_, { seed }) => answers[seed ?? 0] ?? [] })
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const { choices } = await askBothWays(helix, { n: 3, seed: 0, tools, max_tokens: 3 })
  expect(choices).toMatchObject([
    { finish_reason: 'tool_calls', message: { content: null, tool_calls: [{ function: { name: 'f' } }] } },
    { finish_reason: 'stop', message: { content: 'Hello' } },
    { finish_reason: 'length', message: { content: '123' } },
  ])
})

test('all 128 choices are generated on four slots, of which one is kept for others', async () => {
  let [active, max] = [0, 0]
  const helix = await startHelix({
    engine: { slots: 4 },
    *answer(_, { seed }) {
      active += 1
      max = Math.max(max, active)
      yield `${seed}`
      active -= 1
    },
  })
  const { choices, usage } = await askBothWays(helix, { n: 128, seed: 0 })
  expect(choices.map(({ message }) => message.content)).toEqual(Array.from({ length: 128 }, (_, index) => `${index}`))
  expect(usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 128 })
  expect(max).toBe(3)
})

test('a later request gets its turn between the choices', async () => {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let started = 0
  const helix = await startHelix({
    engine: { slots: 3 },
    *answer(messages) {
      if (messages[0]?.content === 'other') return yield 'ok'
      started += 1
      if (started === 2) begun.resolve()
      // Only the first two wait; whether the other request is answered must not depend on the end of all.
      if (started <= 2) yield { pause: gate.promise }
      if (started > 100) yield { pause: new Promise(() => {}) }
      yield 'x'
    },
  })
  const leaving = new AbortController()
  const many = helix.chat({ ...ask('many'), n: 128 }, { signal: leaving.signal })
  many.catch(() => {})
  await begun.promise
  const waiting = await watchQueue(helix)
  const before = await waiting()
  const other = helix.chat(ask('other'))
  while ((await waiting()) === before);
  gate.resolve()
  expect((await other).status).toBe(200)
  leaving.abort()
  await expect(many).rejects.toThrow('aborted')
})

test('a choice that fails ends the request, even if the others wait for their engine', async () => {
  const waiting = { pause: new Promise(() => {}) }
  const helix = await startHelix({
    engine: { slots: 3 },
    answer: (_, { seed }) =>
      seed === 1 ? ['a', { fail: ApiError.of('engine_failed', {}) }] : seed === 0 ? ['a', waiting] : [waiting],
  })
  const response = await helix.chat({ n: 3, seed: 0 })
  expect(response.status).toBe(500)
  expect((await readError(response)).code).toBe('engine_failed')
  expect(helix.engine.active()).toBe(0)
  const events = await readEvents(await helix.chat({ n: 3, seed: 0, stream: true }))
  expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { code: 'engine_failed' } })
  expect(helix.engine.active()).toBe(0)
})

test('a client that disconnects frees the slots of all its choices', async () => {
  const begun = Promise.withResolvers<void>()
  let waiting = 0
  const helix = await startHelix({
    engine: { slots: 4 },
    *answer(messages) {
      if (messages[0]?.content !== 'wait') return yield 'ok'
      yield 'first'
      waiting += 1
      if (waiting === 3) begun.resolve()
      yield { pause: new Promise(() => {}) }
    },
  })
  const leaving = new AbortController()
  const response = await helix.chat({ ...ask('wait'), n: 9, stream: true }, { signal: leaving.signal })
  await begun.promise
  leaving.abort()
  await expect(response.text()).rejects.toThrow('aborted')
  // One slot is kept for others: three requests at once need all the rest.
  const next = await Promise.all(Array.from({ length: 3 }, () => helix.chat(ask('next'))))
  expect(next.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(helix.engine.active()).toBe(0)
})

test('answers that exceed the limit are ended when they do, and the engine is free', async () => {
  function* endless(): Generator<string> {
    for (;;) yield 'x'.repeat(100)
  }
  const helix = await startHelix({ config: { answerLimitBytes: 10_000 }, answer: endless })
  for (const more of [{}, { n: 5 }, { logprobs: true, top_logprobs: 20 }]) {
    const response = await helix.chat(more)
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ code: 'answer_too_large', param: null })
    expect(helix.engine.active()).toBe(0)
  }
})

test('choices that together take too long are ended together', async () => {
  const clock = createManualClock()
  const helix = await startHelix({
    clock,
    config: { generationTimeoutMs: 9000 },
    answer: () => ['half', { pause: new Promise(() => {}) }],
  })
  const asked = helix.chat({ n: 6 })
  await clock.awaited(9000)
  clock.advance(9000)
  expect((await asked).status).toBe(504)
  expect(helix.engine.active()).toBe(0)
})
