import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Fault, startContinuingUpstream, words } from '../../../test/harness/continuing-upstream.ts'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { pngUrl } from '../../../test/harness/media.ts'
import { say, startUpstream } from '../../../test/harness/scripted-upstream.ts'
import type { ApiError } from '../../base/api-error.ts'
import { systemClock } from '../../base/clock.ts'
import type { UpstreamKind } from '../../config/upstream-names.ts'
import type { Conversation, EngineEnd, EngineEvent, Sampling } from '../../engine/contract.ts'
import { openInputAnswerReader } from '../../engine/remote/inputs/input-answer-reader.ts'
import { openTokenCounters } from '../../engine/remote/tokenizer/token-counters.ts'
import { writePrompt } from '../../engine/remote/write-prompt.ts'
import type { Upstream } from '../contract.ts'
import { defaultUpstream, defaultUpstreamModel } from '../default-upstream.ts'
import { openUpstreamEngine } from '../open-upstream-engine.ts'
import { createUpstreamPool } from './upstream-pool.ts'
import { openUpstreamStates } from './upstream-states.ts'

const never = new AbortController().signal
const answer = 'Tides come in twice a day, é あ, and the far side has a second 𝄞 bulge of its own.'
const prompt = 'Why are there two tides each day?'

const unchanged = (text: string): string => text

type Options = { kind?: UpstreamKind; silenceMs?: number; weightsIds?: readonly string[] }
const poolOf = (urls: readonly string[], { kind = 'vllm', silenceMs = 60_000, weightsIds = [] }: Options = {}) => {
  const { log, lines } = createLogCatcher({ clock: createManualClock(), format: 'json' })
  const model = { ...defaultUpstreamModel, name: 'ours', upstreamName: 'theirs' }
  const timeouts = { ...defaultUpstream.timeouts, silenceMs }
  const upstreams = urls.map(
    (baseUrl, index): Upstream => ({ ...defaultUpstream, name: `u${index}`, baseUrl, kind, timeouts, models: [model] }),
  )
  const states = openUpstreamStates({ clock: systemClock, log })
  const pool = createUpstreamPool({
    entries: upstreams.map((upstream, index) => {
      const weightsId = weightsIds[index]
      return { upstream, model: weightsId === undefined ? model : { ...model, weightsId } }
    }),
    openEngine: (entry) =>
      openUpstreamEngine({
        ...{ ...entry, created: 1, redact: unchanged, hideSecrets: unchanged, log },
        tokenizers: openTokenCounters({ clock: systemClock, log }),
        inputAnswers: openInputAnswerReader({ clock: systemClock }),
      }),
    stateOf: ({ upstream }) => states.of(upstream),
    onResize: () => {},
    clock: systemClock,
    log,
    // The first of the list is asked first.
    random: () => 0,
  })
  onTestFinished(async () => {
    states.close()
    await pool.close()
  })
  return { pool, states, lines }
}
type Pool = ReturnType<typeof poolOf>['pool']

const ask = async (pool: Pool, sampling: Partial<Sampling> = {}, conversation: Conversation = talk(prompt)) => {
  const events: EngineEvent[] = []
  const prepared = await pool.prepare(conversation, never)
  const failure: unknown = await (async () => {
    for await (const event of prepared.generate({ ...openSampling, maxTokens: 100, ...sampling }, never))
      events.push(event)
  })().catch((error) => error)
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  const end = events.find((event): event is EngineEnd => event.type === 'end')
  return { text, end, events, failure: failure as ApiError | undefined, route: prepared.route }
}
const twoWith = async (fault: Fault, options: Options = {}, repeat?: (sent: string) => string) => {
  const first = await startContinuingUpstream(answer, [fault])
  const second = await startContinuingUpstream(answer, [], repeat)
  return { first, second, ...poolOf([first.baseUrl, second.baseUrl], options) }
}

test('cut at any byte, the answer is whole, in order and counted once', async () => {
  const first = await startContinuingUpstream(answer)
  const whole = await ask(poolOf([first.baseUrl]).pool)
  expect(whole.text).toBe(answer)
  const faults: Fault[] = []
  const one = await startContinuingUpstream(answer, faults)
  const other = await startContinuingUpstream(answer)
  const cut = fc.record({ type: fc.constantFrom('cut', 'end', 'error'), bytes: fc.nat({ max: 1400 }) })
  await fc.assert(
    fc.asyncProperty(cut, async (fault) => {
      faults.splice(0, faults.length, fault as Fault)
      const { pool } = poolOf([one.baseUrl, other.baseUrl])
      const askedBefore = other.prompts().length
      const { text, end, events, failure } = await ask(pool)
      expect(failure).toBeUndefined()
      expect(text).toBe(answer)
      expect(end).toMatchObject({ reason: 'stop', completionTokens: words(answer).length })
      // If only the usage of the first upstream is missing, nobody is asked again: the prompt is a low estimate, and marked.
      const isUncounted = other.prompts().length === askedBefore && end?.isEstimated
      expect(end?.promptTokens).toBe(isUncounted ? 6 : 7)
      expect(events.filter(({ type }) => type === 'accepted')).toHaveLength(1)
      expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
    }),
    {
      numRuns: 60,
      examples: [[{ type: 'cut', bytes: 0 }], [{ type: 'end', bytes: 400 }], [{ type: 'error', bytes: 400 }]],
    },
  )
})

const cutLate: Fault = { type: 'cut', bytes: 700 }
test.each([
  ['other weights', ['a', 'b']],
  ['weights that nobody knows, such as those of an engine node of an earlier version', ['a']],
])('an answer that breaks off is never continued by %s', async (_, weightsIds) => {
  const { pool, second } = await twoWith(cutLate, { weightsIds })
  const { text, failure, route } = await ask(pool)
  expect(answer.startsWith(text) && text.length > 0).toBe(true)
  expect(failure).toMatchObject({ code: 'upstream_failed' })
  expect({ asked: second.prompts(), route: route?.isContinued }).toEqual({ asked: [], route: false })
})

test('an answer of which nothing was sent is begun again by other weights, and continued only by the same', async () => {
  const weightsIds = ['a', 'b']
  const begun = await twoWith({ type: 'cut', bytes: 0 }, { weightsIds })
  expect(await ask(begun.pool)).toMatchObject({ text: answer, failure: undefined })
  const same = await twoWith(cutLate, { weightsIds: ['a', 'a'] })
  expect(await ask(same.pool)).toMatchObject({ text: answer, route: { isContinued: true } })
})

test('an answer about an image is continued by an upstream that gets the image too', async () => {
  const { pool, second } = await twoWith({ type: 'cut', bytes: 300 })
  const image = { type: 'image', url: pngUrl, bytes: 48, origin: { path: '', type: 'image_url', error: null } } as const
  const parts = [image, { type: 'text', text: prompt }] as const
  const { text, end } = await ask(pool, {}, talk([{ role: 'user', content: prompt, parts }]))
  expect(text).toBe(answer)
  expect(end).toMatchObject({ completionTokens: words(answer).length, isEstimated: true })
  const [asked, begun] = (second.prompts()[0]?.messages ?? []) as { role: string; content: unknown }[]
  expect(asked?.content).toEqual([
    { type: 'image_url', image_url: { url: pngUrl } },
    { type: 'text', text: prompt },
  ])
  expect(begun).toMatchObject({ role: 'assistant', content: expect.stringMatching(/^Tides/) })
})

test('an answer to a long prompt, which was written before, is continued with all of it', async () => {
  const { pool, first, second } = await twoWith({ type: 'cut', bytes: 300 })
  const messages = [{ role: 'user', content: `${prompt} `.repeat(5000) }] as const
  const asked = talk(messages, { written: writePrompt({ messages, tools: [] }) })
  const { text } = await ask(pool, {}, asked)
  expect(text).toBe(answer)
  expect(first.prompts()[0]?.messages).toEqual(messages)
  expect(second.prompts()[0]?.messages).toEqual([
    ...messages,
    { role: 'assistant', content: expect.stringMatching(/^Tides/) },
  ])
})

test('an upstream that falls silent in the middle is left for another', async () => {
  const { pool, second } = await twoWith({ type: 'silence', bytes: 300 }, { silenceMs: 100 })
  const { text, route } = await ask(pool)
  expect(text).toBe(answer)
  expect(route).toMatchObject({ upstreams: ['u0', 'u1'], attempts: 2, failed: ['u0'], isContinued: true })
  expect(second.prompts()[0]).toMatchObject({ continue_final_message: true, add_generation_prompt: false })
})

test('the rest may have only as many tokens as the whole had left', async () => {
  const { pool, second } = await twoWith({ type: 'cut', bytes: 300 })
  const { text, end } = await ask(pool, { maxTokens: 9 })
  expect(words(text)).toHaveLength(9)
  expect(answer.startsWith(text)).toBe(true)
  expect(end).toMatchObject({ reason: 'length', completionTokens: 9 })
  expect(second.prompts()[0]?.max_tokens).toBeLessThan(9)
})

test.each([
  ['nothing', () => ''],
  ['its last words', (sent: string) => words(sent).slice(-5).join('')],
  ['all of it', (sent: string) => sent],
])(
  'an upstream that cannot continue a message is asked in words, and what it repeats is removed: %s',
  async (_, repeat) => {
    const { pool, second } = await twoWith({ type: 'cut', bytes: 600 }, { kind: 'openai' }, repeat)
    const { text, end, route } = await ask(pool)
    expect([text, route?.attempts]).toEqual([answer, 2])
    // Low, because it is billed; never one token for a whole conversation.
    expect(end?.promptTokens).toBeLessThanOrEqual(7)
    expect(end?.promptTokens).toBeGreaterThan(1)
    expect(end?.completionTokens).toBe(words(answer).length)
    const [asked] = second.prompts()
    expect(asked?.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }])
    expect(asked).not.toHaveProperty('continue_final_message')
  },
)

test.each([
  ['log probabilities', { topLogprobs: 0 }, talk(prompt)],
  [
    'a format',
    {},
    talk(prompt, { answer: { stream: true, calling: null, format: { type: 'object' }, reasoningEffort: null } }),
  ],
])('an answer with %s is not continued', async (_, sampling, conversation) => {
  const { pool, second } = await twoWith({ type: 'cut', bytes: 300 })
  const { failure, events } = await ask(pool, sampling, conversation)
  expect(failure).toMatchObject({ errorName: 'upstream_failed' })
  expect(events.some(({ type }) => type === 'text' || type === 'token')).toBe(true)
  expect(second.prompts()).toEqual([])
})

test.each<[string, Fault]>([
  ['a reset', { type: 'refuse' }],
  ['a 500', { type: 'status', status: 500 }],
  ['a 429', { type: 'status', status: 429, headers: { 'retry-after': '7' } }],
  ['a refused key', { type: 'status', status: 401 }],
])('before anything was sent, another upstream begins again: %s', async (_, fault) => {
  const { pool, second } = await twoWith(fault)
  const { text, end, route } = await ask(pool)
  expect([text, route]).toMatchObject([answer, { upstreams: ['u1'], attempts: 2, failed: ['u0'], isContinued: false }])
  expect(end).toMatchObject({ isEstimated: false, promptTokens: 7 })
  expect(second.prompts()[0]?.messages).toHaveLength(1)
})

test('a JSON answer that breaks off is asked for again', async () => {
  const { pool } = await twoWith({ type: 'refuse' })
  const json = talk(prompt, { answer: { stream: false, calling: null, format: null, reasoningEffort: null } })
  expect(await ask(pool, {}, json)).toMatchObject({ text: answer, route: { attempts: 2 } })
})

test('a request that the upstream refuses is not sent to another', async () => {
  const { pool, second } = await twoWith({ type: 'status', status: 400 })
  expect((await ask(pool)).failure).toMatchObject({ errorName: 'upstream_refused' })
  expect(second.prompts()).toEqual([])
})

test('a 429 pauses the upstream for as long as it says, and a refused key for a minute, with a line in the log', async () => {
  const busy = await twoWith({ type: 'status', status: 429, headers: { 'retry-after': '7' } })
  await ask(busy.pool)
  expect(busy.states.healthOf('u0')).toMatchObject({ state: 'open', reason: 'busy' })
  expect(busy.states.healthOf('u0')?.pauseMs).toBeGreaterThan(5000)
  const refused = await twoWith({ type: 'status', status: 403 })
  await ask(refused.pool)
  expect(refused.states.healthOf('u0')).toMatchObject({ state: 'open', reason: 'key_refused' })
  expect(refused.lines.join('')).toContain('"event":"upstream_paused","upstream":"u0","reason":"key_refused"')
})

test('with no other upstream, the error is that of the last one', async () => {
  const lonely = await startContinuingUpstream(answer, [{ type: 'cut', bytes: 300 }])
  const { failure, text } = await ask(poolOf([lonely.baseUrl]).pool)
  expect(failure).toMatchObject({ errorName: 'upstream_failed' })
  expect(answer.startsWith(text)).toBe(true)
})

test.each([
  ['in words', 'compatible'],
  ['exactly', 'vllm'],
] as const)(
  'a continued answer has the prompt tokens of its first attempt, where that reports them: %s',
  async (_, kind) => {
    const usage = { prompt_tokens: 23, completion_tokens: 1 }
    const first = await startUpstream(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = { choices: [{ index: 0, delta: { content: 'Tides ' } }], usage }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => response.destroy())
    })
    const second = await startContinuingUpstream(answer)
    const { text, end } = await ask(poolOf([first.baseUrl, second.baseUrl], { kind }).pool)
    expect([text, end?.promptTokens]).toEqual([answer, 23])
  },
)

test.each(['compatible', 'vllm'] as const)(
  'a continued answer to a short prompt has more than one prompt token, also if the limit ends it: %s',
  async (kind) => {
    for (const maxTokens of [8, 100]) {
      const first = await startContinuingUpstream(answer, [{ type: 'cut', bytes: 400 }])
      // It reports the same few tokens for every prompt.
      const second = await startUpstream((response) => say(response, ...words(answer).slice(3)))
      const { pool } = poolOf([first.baseUrl, second.baseUrl], { kind })
      const { end } = await ask(pool, { maxTokens }, talk('Hi'))
      expect(end?.promptTokens).toBeGreaterThan(1)
    }
  },
)
