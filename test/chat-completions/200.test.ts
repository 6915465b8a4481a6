import { expect, test } from 'vitest'
import type { ChatMessage, Sampling } from '../../src/engine/contract.ts'
import { openSampling } from '../harness/engine-request.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

test('a response is one JSON document of the official shape', async () => {
  const helix = await startHelix()
  const response = await helix.chat({})
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w{24}$/)
  expect(await response.json()).toEqual({
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
    system_fingerprint: expect.stringMatching(/^fp_[0-9a-f]{10}$/),
  })
})

test('every text role is accepted, as strings and as parts, and the order is kept', async () => {
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

test('an empty answer has the content "", not null', async () => {
  const helix = await startHelix({ answer: () => [] })
  expect(await (await helix.chat({})).json()).toMatchObject({
    choices: [{ finish_reason: 'stop', message: { content: '' } }],
    usage: { completion_tokens: 0 },
  })
})

test('the engine gets the parameters that the request sets, and no others', async () => {
  const seen: Sampling[] = []
  const helix = await startHelix({
    answer(_, sampling) {
      seen.push(sampling)
      return ['ok']
    },
  })
  await helix.chat({ temperature: 0, top_p: 0.5, seed: -1, max_tokens: 7, stop: 'END' })
  await helix.chat({ temperature: null, top_p: null, seed: null, stop: null, stream: null, stream_options: null })
  // Without tools the model is kept from calls.
  const left = { ...openSampling, withoutText: '<tool_call>' }
  expect(seen).toEqual([{ ...left, temperature: 0, topP: 0.5, seed: 2 ** 32 - 1, maxTokens: 7, stops: ['END'] }, left])
})

test('every field is accepted at its default', async () => {
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
