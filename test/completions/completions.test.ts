import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import type { Conversation } from '../../src/engine/contract.ts'
import { readEvents } from '../harness/read-events.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
const seen: Conversation[] = []
beforeAll(async () => {
  helix = await openHelix({
    answer: (_, __, conversation) => {
      seen.push(conversation)
      return ['Hello', ', ', 'world', '!']
    },
  })
  return helix.close
})
const post = (body: Record<string, unknown>) =>
  fetch(`${helix.baseUrl}/completions`, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: modelName, prompt: 'Once', ...body }),
  })
const complete = async (body: Record<string, unknown>) => {
  const response = await post(body)
  expect(response.status, await response.clone().text()).toBe(200)
  return (await response.json()) as { choices: { text: string; logprobs: unknown; finish_reason: string }[] }
}

test.each([
  ['a text', 'Once', 'Once'],
  ['a list with a text', ['Once'], 'Once'],
  ['token ids', [1, 2], [1, 2]],
  ['a list with token ids', [[1, 2]], [1, 2]],
])('%s reaches the model as it is, without a template', async (_, prompt, raw) => {
  expect((await complete({ prompt })).choices).toMatchObject([{ text: 'Hello, world!', finish_reason: 'stop' }])
  expect(seen.at(-1)?.rawPrompt).toEqual(raw)
})

test('the prompt in front of each text, several choices, and the token limit', async () => {
  const { choices } = await complete({ echo: true, n: 2, max_tokens: 1 })
  expect(choices.map(({ text, finish_reason }) => [text, finish_reason])).toEqual([
    ['OnceHello', 'length'],
    ['OnceHello', 'length'],
  ])
})

test('several prompts: the choices of the first come first, and the tokens of all count', async () => {
  const own = await startHelix({ answer: (messages) => [...(messages[0]?.content ?? '')] })
  const ask = (more: object) =>
    fetch(`${own.baseUrl}/completions`, {
      method: 'POST',
      headers: own.authorized,
      body: JSON.stringify({ model: modelName, prompt: ['ab', 'cdefgh'], n: 2, echo: true, seed: 7, ...more }),
    })
  const whole = (await (await ask({})).json()) as { choices: { index: number; text: string }[]; usage: object }
  expect(whole.choices.map(({ index, text }) => [index, text])).toEqual([
    [0, 'abab'],
    [1, 'abab'],
    [2, 'cdefghcdefgh'],
    [3, 'cdefghcdefgh'],
  ])
  expect(whole.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 16, total_tokens: 21 })
  const events = await readEvents(await ask({ stream: true, stream_options: { include_usage: true } }))
  const chunks = events.slice(0, -1).map((data) => JSON.parse(data))
  const texts = ['', '', '', '']
  for (const { choices } of chunks) for (const { index, text } of choices) texts[index] += text
  expect(texts).toEqual(whole.choices.map(({ text }) => text))
  expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 16 })
  const rows = await readLedger(own)
  expect(rows.map(({ settlement }) => [settlement?.promptTokens, settlement?.completionTokens])).toEqual([
    [5, 16],
    [5, 16],
  ])
})

test('a prompt that was not read when the client left is not billed', async () => {
  const own = await startHelix({
    engine: { slots: 1 },
    answer: () => ['a', { pause: new Promise(() => {}) }],
  })
  const leaving = new AbortController()
  const response = await fetch(`${own.baseUrl}/completions`, {
    method: 'POST',
    headers: own.authorized,
    body: JSON.stringify({ model: modelName, prompt: ['abcd', 'cdefgh'], stream: true }),
    signal: leaving.signal,
  })
  await response.body?.getReader().read()
  leaving.abort()
  await own.logged({ event: 'request', status: 499 })
  const [row] = await readLedger(own)
  expect(row?.settlement).toMatchObject({ promptTokens: 2, completionTokens: 1 })
})

test('log probabilities are parallel lists with offsets, whole and in a stream', async () => {
  const { choices } = await complete({ logprobs: 1 })
  expect(choices[0]?.logprobs).toMatchObject({ tokens: ['Hello', ', ', 'world', '!'], text_offset: [0, 5, 7, 12] })
  const events = (await readEvents(await post({ logprobs: 1, stream: true }))).slice(0, -1)
  const offsets = events.flatMap((data) => JSON.parse(data).choices[0].logprobs?.text_offset ?? [])
  expect(offsets).toEqual([0, 5, 7, 12])
})

test('a stream ends with the reason, the usage and the marker', async () => {
  const events = await readEvents(await post({ stream: true, stream_options: { include_usage: true }, echo: true }))
  const chunks = events.slice(0, -1).map((data) => JSON.parse(data))
  expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('OnceHello, world!')
  expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: null })
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } })
  expect(events.at(-1)).toBe('[DONE]')
})

test.each<[string, Record<string, unknown>, string]>([
  ['no prompt', { prompt: undefined }, 'prompt'],
  ['too many prompts', { prompt: Array(129).fill('a') }, 'prompt'],
  ['too many choices', { prompt: ['a', 'b'], n: 65 }, 'n'],
  ['texts and tokens in one list', { prompt: ['a', [1]] }, 'prompt[1]'],
  ['an unknown token in a later prompt', { prompt: [[1], [1_000_000]] }, 'prompt'],
  ['a later prompt that does not fit', { prompt: ['a', 'x'.repeat(20_000)] }, 'prompt'],
  ['an empty list', { prompt: [] }, 'prompt'],
  ['a suffix', { suffix: 'end' }, 'suffix'],
  ['best_of above n', { best_of: 2 }, 'best_of'],
  ['echo of token ids', { prompt: [1], echo: true }, 'echo'],
  ['no tokens without echo', { max_tokens: 0 }, 'max_tokens'],
  ['an unknown token', { prompt: [1_000_000] }, 'prompt'],
  ['more tokens than fit', { max_tokens: 1_000_000 }, 'prompt'],
])('%s: refused by name', async (_, body, param) => {
  const response = await post(body)
  expect([response.status, JSON.parse(await response.text()).error.param]).toEqual([400, param])
})

test('the official client, and the endpoint in the ledger', async () => {
  const own = await startHelix()
  const client = new OpenAI({ baseURL: own.baseUrl, apiKey: own.key, maxRetries: 0 })
  const completion = await client.completions.create({ model: modelName, prompt: 'Once' })
  expect(completion.choices[0]?.text).toBe('Hello, world!')
  const stream = await client.completions.create({ model: modelName, prompt: 'Once', stream: true })
  const pieces = await Array.fromAsync(stream, ({ choices }) => choices[0]?.text)
  expect(pieces.join('')).toBe('Hello, world!')
  expect((await readLedger(own)).map(({ endpoint }) => endpoint)).toEqual(['completions', 'completions'])
})
