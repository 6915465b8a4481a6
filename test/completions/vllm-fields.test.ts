import { beforeAll, expect, test } from 'vitest'
import type { Conversation, Sampling } from '../../src/engine/contract.ts'
import { readEvents } from '../harness/read-events.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
const seen: { sampling: Sampling; conversation: Conversation }[] = []
beforeAll(async () => {
  helix = await openHelix({
    answer: (_, sampling, conversation) => {
      seen.push({ sampling, conversation })
      return ['Hello', ', ', 'world', '!']
    },
  })
  return helix.close
})
const post = (path: string, body: Record<string, unknown>) =>
  fetch(`${helix.baseUrl}/${path}`, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: modelName, ...body }),
  })
const complete = (body: Record<string, unknown>) => post('completions', { prompt: 'Once upon', ...body })
const chat = (body: Record<string, unknown>) =>
  post('chat/completions', { messages: [{ role: 'user', content: 'Once upon' }], ...body })
const half = Math.log(0.5)
const entry = (decoded_token: string) => ({ logprob: half, rank: 1, decoded_token })

test('prompt_logprobs: of each prompt of a completion, by token id, the first is null', async () => {
  const body = {
    prompt: [
      [5, 6],
      [7, 8],
    ],
    prompt_logprobs: 0,
    max_tokens: 0,
  }
  const { choices } = JSON.parse(await (await complete(body)).text())
  expect(choices).toMatchObject([
    { text: '', logprobs: null, prompt_logprobs: [null, { 6: entry('<6>') }] },
    { text: '', logprobs: null, prompt_logprobs: [null, { 8: entry('<8>') }] },
  ])
})

test('prompt_logprobs beside logprobs: the lists of the answer do not contain the prompt', async () => {
  const { choices } = JSON.parse(await (await complete({ prompt_logprobs: 2, logprobs: 1, max_tokens: 1 })).text())
  expect(choices[0].logprobs.tokens).toEqual(['Hello'])
  expect(Object.keys(choices[0].prompt_logprobs[1])).toEqual(['1', '901'])
})

test('prompt_logprobs beside echo: each field has as many of the most likely tokens as it asked for', async () => {
  const body = { prompt_logprobs: 3, echo: true, logprobs: 1, max_tokens: 1 }
  const { choices } = JSON.parse(await (await complete(body)).text())
  expect(choices[0].logprobs.top_logprobs[1]).toEqual({ Once: half })
  expect(Object.keys(choices[0].prompt_logprobs[1])).toHaveLength(3)
})

test('prompt_logprobs of a conversation, once for all choices', async () => {
  const answer = JSON.parse(await (await chat({ prompt_logprobs: 0, n: 2, max_tokens: 1 })).text())
  expect(answer.prompt_logprobs).toEqual([null, { 1: entry('Once') }, { 2: entry(' upo') }, { 3: entry('n') }])
  expect(answer.choices.map((choice: { message: object }) => choice.message)).toMatchObject([
    { content: 'Hello' },
    { content: 'Hello' },
  ])
  const asked = seen.slice(-2).map(({ sampling }) => sampling.promptLogprobs)
  expect(asked.filter((count) => count !== null)).toEqual([0])
})

test('return_token_ids: of each prompt and its answer, whole and in a stream', async () => {
  const body = { prompt: ['ab', 'cdefgh'], return_token_ids: true, max_tokens: 2 }
  const { choices } = JSON.parse(await (await complete(body)).text())
  expect(choices).toMatchObject([
    { prompt_token_ids: [0, 1], token_ids: [1, 2] },
    { prompt_token_ids: [0, 1, 2], token_ids: [1, 2] },
  ])
  const events = (await readEvents(await complete({ ...body, stream: true }))).slice(0, -1)
  const pieces = events.flatMap((data) => JSON.parse(data).choices)
  for (const index of [0, 1]) {
    const own = pieces.filter((piece) => piece.index === index)
    expect(own.flatMap(({ token_ids }) => token_ids)).toEqual([1, 2])
    expect(own.flatMap(({ prompt_token_ids = [] }) => prompt_token_ids)).toEqual(choices[index].prompt_token_ids)
  }
})

test.each([
  ['completions', complete],
  ['chat', chat],
])('continuous_usage_stats: every chunk says what was used so far (%s)', async (_, ask) => {
  const stream_options = { include_usage: true, continuous_usage_stats: true }
  const events = (await readEvents(await ask({ stream: true, stream_options }))).slice(0, -1)
  const totals = events.map((data) => JSON.parse(data).usage.completion_tokens)
  expect(totals.at(-1)).toBe(4)
  expect(totals).toEqual(totals.toSorted((one, other) => one - other))
  expect(JSON.parse(events[0] ?? '').usage.prompt_tokens).toBe(4)
})

test('truncate_prompt_tokens and allowed_token_ids reach the engine', async () => {
  const { usage } = JSON.parse(await (await complete({ truncate_prompt_tokens: 2, allowed_token_ids: [3, 4] })).text())
  expect(usage.prompt_tokens).toBe(2)
  expect(seen.at(-1)?.conversation.maxPromptTokens).toBe(2)
  expect(seen.at(-1)?.sampling.allowedIds).toEqual([3, 4])
  await chat({ logprobs: true, logprob_token_ids: [5] })
  expect(seen.at(-1)?.sampling.logprobIds).toEqual([5])
})

test.each<[string, typeof complete, Record<string, unknown>, string]>([
  ['prompt_logprobs in a stream', complete, { prompt_logprobs: 1, stream: true }, 'prompt_logprobs'],
  ['prompt_logprobs in a stream of a chat', chat, { prompt_logprobs: 1, stream: true }, 'prompt_logprobs'],
  ['too many prompt_logprobs', chat, { prompt_logprobs: 21 }, 'prompt_logprobs'],
  ['echo of a shortened text', complete, { echo: true, truncate_prompt_tokens: 1 }, 'echo'],
  ['a token that does not exist', complete, { allowed_token_ids: [1_000_000] }, 'allowed_token_ids[0]'],
  ['no allowed token', chat, { allowed_token_ids: [] }, 'allowed_token_ids'],
  ['logprob_token_ids without logprobs', complete, { logprob_token_ids: [1] }, 'logprob_token_ids'],
  ['logprob_token_ids without logprobs in a chat', chat, { logprob_token_ids: [1] }, 'logprob_token_ids'],
])('%s: refused by name', async (_, ask, body, param) => {
  const response = await ask(body)
  expect([response.status, JSON.parse(await response.text()).error?.param]).toEqual([400, param])
})
