import { expect, test } from 'vitest'
import type { ChatMessage, Sampling } from '../../src/engine/contract.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

test('an answer is one JSON document of the official shape', async () => {
  const helix = await startHelix()
  const response = await helix.chat({})
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w{24}$/)
  const body = (await response.json()) as { created: number }
  expect(body).toEqual({
    id: expect.stringMatching(/^chatcmpl-\w{24}$/),
    object: 'chat.completion',
    created: expect.any(Number),
    model: modelName,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello, world!', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 2,
      completion_tokens: 4,
      total_tokens: 6,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    service_tier: 'default',
  })
  expect(Number.isInteger(body.created)).toBe(true)
  expect(Math.abs(body.created - Date.now() / 1000)).toBeLessThan(60)
})

test('every text role is understood, in strings and in parts, and the order is kept', async () => {
  const seen: ChatMessage[][] = []
  const helix = await startHelix({
    answer(messages) {
      seen.push([...messages])
      return ['ok']
    },
  })
  const messages = [
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '東京は' },
        { type: 'text', text: 'どこ?' },
      ],
      name: 'aiko',
    },
    { role: 'assistant', content: 'ここ', refusal: null },
    { role: 'user', content: '' },
    { role: 'system', content: 'Late system.' },
    { role: 'assistant', content: 'a last word' },
  ]
  expect((await helix.chat({ messages })).status).toBe(200)
  expect(seen[0]).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '東京は\nどこ?', name: 'aiko' },
    { role: 'assistant', content: 'ここ' },
    { role: 'user', content: '' },
    { role: 'system', content: 'Late system.' },
    { role: 'assistant', content: 'a last word' },
  ])
})

test('max_tokens and max_completion_tokens cut the answer at exactly that many tokens', async () => {
  const helix = await startHelix()
  for (const field of ['max_tokens', 'max_completion_tokens']) {
    const body = await (await helix.chat({ [field]: 2 })).json()
    expect(body).toMatchObject({
      choices: [{ finish_reason: 'length', message: { content: 'Hello, ' } }],
      usage: { completion_tokens: 2 },
    })
  }
})

test('an answer cut in the middle of a character has no broken character', async () => {
  const [first, ...rest] = Buffer.from('猫')
  const helix = await startHelix({ answer: () => ['ねこ', Uint8Array.of(first ?? 0), Uint8Array.from(rest)] })
  const body = await (await helix.chat({ max_tokens: 2 })).json()
  expect(body).toMatchObject({ choices: [{ finish_reason: 'length', message: { content: 'ねこ' } }] })
})

test('a stop text ends the answer, is not part of it, and frees the engine', async () => {
  const helix = await startHelix({ answer: () => ['one', ' tw', 'o', ' three', ' four'] })
  const body = await (await helix.chat({ stop: ['two', '終わり'] })).json()
  expect(body).toMatchObject({
    choices: [{ finish_reason: 'stop', message: { content: 'one ' } }],
    usage: { completion_tokens: 3 },
  })
  expect(helix.engine.active()).toBe(0)
})

test('an empty answer has the content "", not null', async () => {
  const helix = await startHelix({ answer: () => [] })
  expect(await (await helix.chat({})).json()).toMatchObject({
    choices: [{ finish_reason: 'stop', message: { content: '' } }],
    usage: { completion_tokens: 0 },
  })
})

test('the engine gets what the request sets, and nothing for what it leaves out', async () => {
  const seen: Sampling[] = []
  const helix = await startHelix({
    answer(_, sampling) {
      seen.push(sampling)
      return ['ok']
    },
  })
  await helix.chat({ temperature: 0, top_p: 0.5, seed: -1, max_tokens: 7, stop: 'END' })
  await helix.chat({ temperature: null, top_p: null, seed: null, stop: null, stream: null, stream_options: null })
  expect(seen).toEqual([
    { temperature: 0, topP: 0.5, seed: 2 ** 32 - 1, maxTokens: 7, stops: ['END'] },
    { temperature: null, topP: null, seed: null, maxTokens: null, stops: [] },
  ])
})

test('fields that are not served yet are accepted at their default', async () => {
  const helix = await startHelix()
  const defaults = {
    n: 1,
    logprobs: false,
    presence_penalty: 0,
    frequency_penalty: null,
    response_format: { type: 'text' },
    parallel_tool_calls: true,
    modalities: ['text'],
    service_tier: 'auto',
    store: false,
    tool_choice: 'none',
    reasoning_effort: 'medium',
  }
  expect((await helix.chat(defaults)).status).toBe(200)
})

test('a request without Content-Type, in chunks, or with a charset is read as JSON', async () => {
  const helix = await startHelix()
  const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }] })
  expect((await helix.post(body, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200)
  expect((await helix.post(new TextEncoder().encode(body), { 'content-type': 'APPLICATION/JSON' })).status).toBe(200)
})
