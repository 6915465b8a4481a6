import { expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { asBatched } from '../../base/batches.ts'
import type { Engine, EngineEvent } from '../../engine/contract.ts'
import type { Upstream } from '../contract.ts'
import { defaultUpstream, defaultUpstreamModel } from '../default-upstream.ts'
import { createUpstreamPool } from './upstream-pool.ts'
import { openUpstreamStates } from './upstream-states.ts'

type Batches = AsyncGenerator<readonly EngineEvent[], void>
type Answering = (upstream: string, model: string) => Batches

const never = new AbortController().signal
const text = (tokens: number): EngineEvent => ({ type: 'text', text: 'word '.repeat(tokens), tokens })
const end = (completionTokens: number): EngineEvent => ({
  ...{ type: 'end', reason: 'stop', promptTokens: 1, cachedTokens: 0, completionTokens },
})

/** The same numbers in every run, from 0 to 1. */
const numbers = (): (() => number) => {
  let last = 7
  return () => {
    last = (last * 48_271) % 2_147_483_647
    return last / 2_147_483_647
  }
}

const engineOf = (upstream: string, model: string, answer: Answering): Engine => ({
  model: {
    ...{ id: model, created: 1, ownedBy: 'test', contextTokens: null, vocabularyTokens: null, features: null },
  },
  slots: 1,
  state: () => 'ready',
  prepare: async () => ({
    promptTokens: null,
    promptTokenIds: null,
    generate: () => asBatched(answer(upstream, model)),
  }),
  close: async () => {},
})

/** Upstreams that all serve the same models, each model with a pool of its own. */
const open = (names: readonly string[], models: readonly string[], maxInFlight: number, answer: Answering) => {
  const clock = createManualClock()
  const { log } = createLogCatcher({ clock, format: 'json' })
  const random = numbers()
  const served = models.map((name) => ({ ...defaultUpstreamModel, name, upstreamName: name }))
  const upstreams = names.map(
    (name): Upstream => ({ ...defaultUpstream, name, baseUrl: `http://${name}.test/v1`, maxInFlight, models: served }),
  )
  const states = openUpstreamStates({ clock, log, random })
  const pools = new Map(
    served.map((model) => [
      model.name,
      createUpstreamPool({
        entries: upstreams.map((upstream) => ({ upstream, model })),
        openEngine: ({ upstream }) => engineOf(upstream.name, model.name, answer),
        stateOf: ({ upstream }) => states.of(upstream),
        onResize: () => {},
        ...{ clock, log, random },
      }),
    ]),
  )
  const ask = async (model = models[0] ?? '') => {
    const prompt = await pools.get(model)?.prepare(talk('Hi'), never)
    if (prompt === undefined) throw new Error(`there is no ${model}`)
    for await (const _ of prompt.generate({ ...openSampling, maxTokens: 4096 }, never));
    return prompt.route?.upstreams.at(-1)
  }
  return { clock, ask, limit: () => states.healthOf(names[0] ?? '')?.limit }
}

type Speed = { isWhole: boolean; firstMs: number; tokenMs: number }

/** How many of 100 requests go to the upstream `one`, once both were measured. */
const shareOfOne = async (one: Speed, two: Speed, tokensOf: (answer: number) => number): Promise<number> => {
  let answers = 0
  const { clock, ask } = open(['one', 'two'], ['small'], 4, async function* (name) {
    const { isWhole, firstMs, tokenMs } = name === 'one' ? one : two
    answers += 1
    const tokens = tokensOf(answers)
    clock.advance(firstMs)
    if (!isWhole) yield [text(1)]
    clock.advance(tokens * tokenMs)
    yield [text(isWhole ? tokens : tokens - 1), end(tokens)]
  })
  for (let request = 0; request < 40; request += 1) await ask()
  let atOne = 0
  for (let request = 0; request < 100; request += 1) if ((await ask()) === 'one') atOne += 1
  return atOne
}

test.each([
  { name: 'long answers', tokens: () => 600 },
  { name: 'answers of ordinary length', tokens: () => 200 },
  { name: 'answers of 40 to 800 tokens', tokens: (answer: number) => 40 * (1 + (answer % 20)) },
])(
  'an upstream that answers whole and one that streams are compared by how fast they are: $name',
  async ({ tokens }) => {
    const fast = { firstMs: 200, tokenMs: 10 }
    const slow = { firstMs: 400, tokenMs: 30 }
    const share = (one: Speed, two: Speed): Promise<number> => shareOfOne(one, two, tokens)
    expect(await share({ ...fast, isWhole: true }, { ...slow, isWhole: false })).toBeGreaterThan(85)
    expect(await share({ ...fast, isWhole: false }, { ...slow, isWhole: true })).toBeGreaterThan(85)
    expect(await share({ ...fast, isWhole: true }, { ...slow, isWhole: true })).toBeGreaterThan(85)
  },
)

test.each([
  { name: 'long answers', tokens: () => 1000 },
  { name: 'answers of ordinary length', tokens: () => 200 },
  { name: 'short answers', tokens: () => 20 },
])('of two equal upstreams, the one that answers whole is neither preferred nor avoided: $name', async ({ tokens }) => {
  const speed = { firstMs: 300, tokenMs: 10 }
  const share = await shareOfOne({ ...speed, isWhole: true }, { ...speed, isWhole: false }, tokens)
  expect(share).toBeGreaterThan(30)
  expect(share).toBeLessThan(70)
})

/** An upstream whose answers go on when the test says so. */
const openPaced = (models: readonly string[], maxInFlight: number) => {
  const waiting: { model: string; isWhole: boolean; answer(): void }[] = []
  let isWhole = false
  const { clock, ask, limit } = open(['gpu'], models, maxInFlight, async function* (_, model) {
    const own = isWhole
    await new Promise<void>((answer) => waiting.push({ model, isWhole: own, answer }))
    if (!own) yield [text(1)]
    yield [text(20), end(20)]
  })
  const begin = (model: string, whole = false): Promise<unknown> => {
    const asked = waiting.length
    isWhole = whole
    const ended = ask(model)
    return new Promise<Promise<unknown>[]>((resolve) => {
      const look = (): void => (waiting.length > asked ? resolve([ended]) : void setImmediate(look))
      look()
    })
  }
  /** All that wait are answered after this time. */
  const answerAfter = async (ms: number, which: (one: { model: string; isWhole: boolean }) => boolean) => {
    clock.advance(ms)
    for (const one of waiting.splice(0).filter((each) => which(each) || !waiting.push(each))) one.answer()
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return { begin, answerAfter, limit }
}

test('answers that come whole do not make a full upstream look slow beside its streams', async () => {
  const { begin, answerAfter, limit } = openPaced(['small'], 5)
  for (let round = 0; round < 20; round += 1) {
    for (let stream = 0; stream < 4; stream += 1) await begin('small')
    await begin('small', true)
    await answerAfter(200, ({ isWhole }) => !isWhole)
    await answerAfter(9_800, ({ isWhole }) => isWhole)
    expect(limit()).toBe(5)
  }
})

test('a slow model does not make a full upstream look slow for a fast one', async () => {
  const { begin, answerAfter, limit } = openPaced(['fast', 'slow'], 5)
  for (let round = 0; round < 20; round += 1) {
    for (let stream = 0; stream < 4; stream += 1) await begin('fast')
    await begin('slow')
    await answerAfter(100, ({ model }) => model === 'fast')
    await answerAfter(9_900, ({ model }) => model === 'slow')
    expect(limit()).toBe(5)
  }
})

test('streams that begin far later than before lower a full upstream, also beside answers that come whole', async () => {
  const { begin, answerAfter, limit } = openPaced(['small'], 5)
  for (let round = 0; round < 20; round += 1) {
    for (let stream = 0; stream < 4; stream += 1) await begin('small')
    await begin('small', true)
    await answerAfter(round < 10 ? 200 : 5_000, () => true)
    if (round === 9) expect(limit()).toBe(5)
    if ((limit() ?? 0) < 5) return
  }
  expect.fail('it was never lowered')
})
