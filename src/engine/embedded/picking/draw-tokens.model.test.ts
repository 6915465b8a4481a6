import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampling, talk } from '../../../../test/harness/engine-request.ts'
import { systemClock } from '../../../base/clock.ts'
import type { Grammar, GrammarNode } from '../../../grammar/grammar.ts'
import type { Constraint, Conversation, Sampling } from '../../contract.ts'
import { readModel } from '../../model-folder.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from '../embedded-engine.ts'

const at = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const never = new AbortController().signal

let engine: EmbeddedEngine
beforeAll(async () => {
  const log = { info() {}, warn() {}, error() {} }
  const modelFiles = await readModel(at('models/helix-v1'))
  const threads = Math.min(2, availableParallelism())
  engine = createEmbeddedEngine({
    modelFiles,
    slots: 1,
    threads,
    clock: systemClock,
    log,
    workerPath: at('src/work.ts'),
  })
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
})
afterAll(() => engine?.close())

const ask = async (conversation: Conversation | string, wished: Partial<Sampling>) => {
  const prompt = await engine.prepare(typeof conversation === 'string' ? talk(conversation) : conversation, never)
  const sampling = { ...openSampling, temperature: 0, seed: 1, maxTokens: 12, ...wished }
  const events = await Array.fromAsync(prompt.generate(sampling, never))
  const tokens = events.filter((event) => event.type === 'token')
  const text = Buffer.concat(tokens.map(({ bytes }) => bytes)).toString()
  const ids = tokens.map(({ id }) => id ?? -1)
  return { prompt, tokens, ids, text, end: events.at(-1) }
}

const sequence = (...of: (GrammarNode | string)[]): GrammarNode => ({
  type: 'sequence',
  of: of.map((node) => (typeof node === 'string' ? { type: 'text', text: node } : node)),
})
const rule = (name: string): GrammarNode => ({ type: 'rule', name })
const several = (of: GrammarNode, min: number, max: number): GrammarNode => ({ type: 'repeat', of, min, max })
const letters: [number, number][] = [
  [0x61, 0x7a],
  [0x3041, 0x3096],
]
const held = (main: GrammarNode, after: string | null = null): Constraint => {
  const word = sequence('"', several({ type: 'class', ranges: letters }, 1, 8), '"')
  const digits = several({ type: 'class', ranges: [[0x31, 0x39]] }, 1, 3)
  const grammar: Grammar = { root: 'main', rules: { main, word, digits } }
  return { grammar, after }
}
const nested = held(
  sequence(
    '{"name": ',
    rule('word'),
    ', "size": {"width": ',
    rule('digits'),
    ', "tags": [',
    rule('word'),
    several(sequence(', ', rule('word')), 0, 2),
    ']}}',
  ),
)

test('what the model can do is known once it is loaded', () => {
  expect(engine.model.vocabularyTokens).toBe(45_056)
  expect(engine.model.features).toEqual(new Set(['grammar', 'logprobs', 'token_ids', 'template', 'tools']))
})

test('an answer held to nested JSON is that, at any temperature, and ends by itself', async () => {
  for (const temperature of [0, 1.5]) {
    const { text, end } = await ask('Describe a box as JSON.', { constraint: nested, temperature, maxTokens: 100 })
    const box = JSON.parse(text)
    expect(box).toEqual({ name: expect.any(String), size: { width: expect.any(Number), tags: expect.any(Array) } })
    expect(end).toMatchObject({ reason: 'stop' })
  }
})

test('characters of several bytes can be held to a grammar too', async () => {
  const constraint = held({ type: 'choice', of: [sequence('東京都です'), sequence('京都府です')] })
  const { text } = await ask('日本の首都はどこですか。', { constraint })
  expect(['東京都です', '京都府です']).toContain(text)
})

test('a tool call is free until it begins and then held to its form', async () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const conversation = talk('What is the weather in Tokyo? Call the function.', {
    tools: [{ name: 'get_weather', description: 'Tells the weather of a city.', parameters }],
  })
  const call = sequence('\n{"name": "get_weather", "arguments": {"city": ', rule('word'), '}}\n</tool_call>')
  const [open] = (await ask('x', { maxTokens: 1, logitBias: [[45_054, 100]] })).ids
  expect(open).toBe(45_054)
  const { text, end } = await ask(conversation, {
    constraint: held(call, '<tool_call>'),
    // Whether this model wants to call is its own affair.
    logitBias: [[45_054, 20]],
    maxTokens: 60,
  })
  const [, called] = /<tool_call>\n(.*)\n<\/tool_call>$/s.exec(text) ?? []
  expect(JSON.parse(called ?? '')).toEqual({ name: 'get_weather', arguments: { city: expect.any(String) } })
  expect(end).toMatchObject({ reason: 'stop' })
})

test('probabilities are told: at temperature 0 each token is the likeliest', async () => {
  const plain = await ask('Name three colours.', { maxTokens: 5 })
  const { tokens, ids } = await ask('Name three colours.', { maxTokens: 5, topLogprobs: 3 })
  expect(ids).toEqual(plain.ids)
  for (const { id, logprob } of tokens) {
    expect(logprob).toMatchObject({ rank: 0, logprob: expect.any(Number) })
    const top = logprob?.top ?? []
    expect(top.map(({ id }) => id)).toContain(id)
    expect(top).toHaveLength(3)
    for (const { logprob } of top) expect(logprob).toBeLessThanOrEqual(0)
    expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThanOrEqual(1 + 1e-6)
  }
})

const ways: [string, Partial<Sampling>][] = [
  ['by llama.cpp', { frequencyPenalty: 0.5 }],
  ['among the likeliest', { ignoreEnd: true, repetitionPenalty: 1.2 }],
  ['among all', { topLogprobs: 1, repetitionPenalty: 1.2, presencePenalty: 0.5 }],
]
test.each(ways)('drawn %s, the same seed gives the same answer and another one another', async (_, wished) => {
  const say = async (seed: number) =>
    (await ask('Tell me a story.', { ...wished, temperature: 1.5, topP: 1, seed, maxTokens: 6 })).text
  const first = await say(42)
  expect(await say(42)).toBe(first)
  expect([await say(1), await say(2)].some((other) => other !== first)).toBe(true)
})

test('a bias takes a token away or brings it in, an end token too', async () => {
  const { ids } = await ask('Name a colour.', { maxTokens: 1 })
  const [likeliest = -1] = ids
  expect((await ask('Name a colour.', { maxTokens: 1, logitBias: [[likeliest, -100]] })).ids).not.toEqual(ids)
  expect((await ask('Name a colour.', { maxTokens: 2, logitBias: [[1234, 100]] })).ids).toEqual([1234, 1234])
  expect((await ask('Name a colour.', { logitBias: [[45_036, 100]] })).ids).toEqual([])
})

test('least length, ignored ends and stop ids', async () => {
  const brief = talk('Say yes.', { opening: 'answer' })
  const free = await ask(brief, { maxTokens: 40 })
  const least = free.ids.length + 3
  expect((await ask(brief, { minTokens: least, maxTokens: 40 })).ids.length).toBeGreaterThanOrEqual(least)
  const endless = await ask(brief, { ignoreEnd: true, maxTokens: least + 5 })
  expect([endless.ids.length, endless.end]).toMatchObject([least + 5, { reason: 'length' }])
  const [first = -1] = free.ids
  const stopped = await ask(brief, { stopIds: [first] })
  expect([stopped.ids, stopped.end]).toMatchObject([[], { reason: 'stop' }])
})

test('an answer goes on with the last message', async () => {
  const messages = [
    { role: 'user' as const, content: 'Count from one to five in digits.' },
    { role: 'assistant' as const, content: '1, 2, 3,' },
  ]
  const continued = await ask(talk(messages, { opening: 'continue' }), { maxTokens: 4 })
  expect(continued.text).toMatch(/^ ?4/)
  const { promptTokens, promptTokenIds } = continued.prompt
  expect(promptTokenIds).toHaveLength(promptTokens ?? -1)
  expect(promptTokenIds?.at(-1)).not.toBe(45_036)
})
