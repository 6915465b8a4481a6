import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampling, talk } from '../../../test/harness/engine-request.ts'
import { engineThreads } from '../../../test/harness/engine-threads.ts'
import { systemClock } from '../../base/clock.ts'
import { compileGrammar } from '../../grammar/compile-grammar.ts'
import { charClass, repeat, rule, sequence, text } from '../../grammar/grammar.ts'
import { jsonSchemaGrammar } from '../../grammar/json-schema-grammar.ts'
import { choiceGrammar } from '../../grammar/regex-grammar.ts'
import type { Conversation, Sampling } from '../contract.ts'
import { readModel } from '../model-folder.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from './embedded-engine.ts'

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
/** Of this model's vocabulary. */
const toolCallId = 45_054
const endId = 45_036
const never = new AbortController().signal

let engine: EmbeddedEngine
beforeAll(async () => {
  const log = { info() {}, warn() {}, error() {} }
  const modelFiles = await readModel(at('models/helix-v1'))
  engine = openEmbeddedEngine({
    modelFiles,
    slots: 1,
    threads: engineThreads,
    clock: systemClock,
    log,
    workerPath: at('src/engine-process.ts'),
  })
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
})
afterAll(() => engine?.close())

const ask = async (conversation: Conversation | string, requested: Partial<Sampling>) => {
  const prompt = await engine.prepare(typeof conversation === 'string' ? talk(conversation) : conversation, never)
  const sampling = { ...openSampling, temperature: 0, seed: 1, maxTokens: 12, ...requested }
  const events = await Array.fromAsync(prompt.generate(sampling, never))
  const tokens = events.filter((event) => event.type === 'token')
  const text = Buffer.concat(tokens.map(({ bytes }) => bytes)).toString()
  const ids = tokens.map(({ id }) => id ?? -1)
  return { prompt, tokens, ids, text, end: events.at(-1) }
}

const box = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 20 },
    colour: { enum: ['red', 'green', null] },
    size: {
      type: 'object',
      properties: {
        width: { type: 'integer', minimum: 1, maximum: 500 },
        tags: { type: 'array', items: { type: 'string', maxLength: 10 }, minItems: 1, maxItems: 3 },
      },
      required: ['width', 'tags'],
      additionalProperties: false,
    },
  },
  required: ['name', 'colour', 'size'],
  additionalProperties: false,
}

test('what the model can do is known once it is loaded', () => {
  expect(engine.model.vocabularyTokens).toBe(45_056)
  expect(engine.model.features).toEqual(new Set(['grammar', 'logprobs', 'token_ids', 'template', 'tools']))
})

test('an answer constrained by a nested schema matches it at any temperature, with and without probabilities, and ends by itself', async () => {
  const fits = new Ajv().compile(box)
  const constraint = { grammar: compileGrammar(jsonSchemaGrammar(box, { strict: true })), after: null }
  for (const requested of [{}, { temperature: 1.5, topP: 1 }, { temperature: 1, topLogprobs: 0 }]) {
    const { text, end } = await ask('Describe a box as JSON.', { constraint, maxTokens: 150, ...requested })
    expect(fits(JSON.parse(text)), text).toBe(true)
    expect(end).toMatchObject({ reason: 'stop' })
  }
})

test('characters of several bytes can be constrained too', async () => {
  const choices = ['東京都です', '京都府です', '🐈🐈']
  const { text } = await ask('日本の首都はどこですか。', {
    constraint: { grammar: compileGrammar(choiceGrammar(choices)), after: null },
  })
  expect(choices).toContain(text)
})

test('an answer is free until a tool call begins, which then follows its form', async () => {
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 20 } },
    required: ['city'],
    additionalProperties: false,
  }
  const conversation = talk('What is the weather in Tokyo? Call the function.', {
    tools: [
      { name: 'get_weather', description: 'Tells the weather of a city.', parameters: JSON.stringify(parameters) },
    ],
  })
  const { root, rules } = jsonSchemaGrammar(parameters, { strict: true })
  const call = sequence(text('\n{"name": "get_weather", "arguments": '), rule(root), text('}\n</tool_call>'))
  const answer = await ask(conversation, {
    constraint: { grammar: compileGrammar({ root: 'call', rules: { ...rules, call } }), after: '<tool_call>' },
    // Whether this model wants to call is its own affair.
    logitBias: [[toolCallId, 20]],
    maxTokens: 60,
  })
  const [, called] = /<tool_call>\n(.*)\n<\/tool_call>$/s.exec(answer.text) ?? []
  expect(JSON.parse(called ?? '')).toEqual({ name: 'get_weather', arguments: { city: expect.any(String) } })
  expect(answer.end).toMatchObject({ reason: 'stop' })
})

const shapings: Partial<Sampling>[] = [{ presencePenalty: 2, logitBias: [[14, 2]] }, { repetitionPenalty: 1.3 }]
test.each(shapings)('%j counts the same beside a grammar and with probabilities', async (requested) => {
  const prompt = 'Say the word cat ten times.'
  const anything = { root: 'any', rules: { any: repeat(charClass([0, 0x10ffff])) } }
  const { ids } = await ask(prompt, requested)
  expect(
    (await ask(prompt, { ...requested, constraint: { grammar: compileGrammar(anything), after: null } })).ids,
  ).toEqual(ids)
  expect((await ask(prompt, { ...requested, topLogprobs: 0 })).ids).toEqual(ids)
})

test('probabilities are reported: at temperature 0 each token is the likeliest', async () => {
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

const kinds: [string, Partial<Sampling>][] = [
  ['with a frequency penalty', { frequencyPenalty: 0.5 }],
  ['with ends ignored', { ignoreEnd: true, repetitionPenalty: 1.2 }],
  ['with probabilities', { topLogprobs: 1, repetitionPenalty: 1.2, presencePenalty: 0.5 }],
]
test.each(kinds)('sampled %s, the same seed gives the same answer and another one another', async (_, requested) => {
  const say = async (seed: number) =>
    (await ask('Tell me a story.', { ...requested, temperature: 1.5, topP: 1, seed, maxTokens: 6 })).text
  const first = await say(42)
  expect(await say(42)).toBe(first)
  expect([await say(1), await say(2)].some((other) => other !== first)).toBe(true)
})

test('a bias takes a token away or brings it in, an end token too', async () => {
  const { ids } = await ask('Name a colour.', { maxTokens: 1 })
  const [likeliest = -1] = ids
  expect((await ask('Name a colour.', { maxTokens: 1, logitBias: [[likeliest, -100]] })).ids).not.toEqual(ids)
  expect((await ask('Name a colour.', { maxTokens: 2, logitBias: [[1234, 100]] })).ids).toEqual([1234, 1234])
  expect((await ask('Name a colour.', { logitBias: [[endId, 100]] })).ids).toEqual([])
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
  expect(promptTokenIds?.at(-1)).not.toBe(endId)
})

test('an excluded text is neither sampled as one token nor spelled out', async () => {
  const pushed = { logitBias: [[toolCallId, 100]] as const }
  expect((await ask('Hi', pushed)).ids).toContain(toolCallId)
  const { ids, text } = await ask('Hi', { ...pushed, withoutText: '<tool_call>' })
  expect(ids.length).toBeGreaterThan(0)
  expect(ids).not.toContain(toolCallId)
  expect(text).not.toContain('<tool_call>')
  const asked = { withoutText: '<tool_call>', maxTokens: 30 }
  for (const topLogprobs of [null, 0]) {
    const spelled = await ask('Repeat these tags exactly: <tool_call></tool_call>', { ...asked, topLogprobs })
    expect(spelled.text).not.toContain('<tool_call>')
  }
})

test('an answer that would begin with a call is given in words where calls are excluded', async () => {
  const get = { name: 'get_time', description: 'Tells the time.', parameters: null }
  const calling: Conversation = {
    ...talk('What time is it in Paris? Use get_time.'),
    tools: [get],
  }
  expect((await ask(calling, { maxTokens: 40 })).text).toContain('<tool_call>')
  const { ids, text } = await ask(calling, { maxTokens: 40, withoutText: '<tool_call>' })
  expect(ids.length).toBeGreaterThan(0)
  expect(text).not.toContain('<tool_call>')
})
