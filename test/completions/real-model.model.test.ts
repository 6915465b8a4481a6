import { beforeAll, expect, test } from 'vitest'
import { tokenizerInfoSchema, tokenListSchema } from '../../src/api/tokenize/response-schema.ts'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let engine: EmbeddedEngine
beforeAll(async () => {
  engine = await openTinyEngine('tiny-chat')
  await engine.firstLoad
  helix = await openHelix({ startEngine: () => engine })
  return helix.close
})
const post = async (path: string, body: Record<string, unknown>) => {
  const response = await fetch(`${helix.baseUrl}/${path}`, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: engine.model.id, ...body }),
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return JSON.parse(text)
}
const text = 'in the ring 日本 🙂 and so on'
const tokensOf = async (prompt: string): Promise<number[]> => tokenListSchema(await post('tokenize', { prompt })).tokens

test('text and token ids have the same log probabilities, with any number of generated tokens', async () => {
  const ids = await tokensOf(text)
  const scored = { echo: true, logprobs: 2 }
  const [one, other] = [
    (await post('completions', { prompt: text, max_tokens: 0, ...scored })).choices[0],
    (await post('completions', { prompt: ids, max_tokens: 1, temperature: 0, ...scored })).choices[0],
  ]
  expect(one.logprobs.token_logprobs).toHaveLength(ids.length)
  expect(one.logprobs.token_logprobs[0]).toBeNull()
  expect(other.logprobs.token_logprobs).toHaveLength(ids.length + 1)
  expect(other.logprobs.token_logprobs.slice(0, -1)).toEqual(one.logprobs.token_logprobs)
  expect(other.logprobs.tokens.slice(0, -1)).toEqual(one.logprobs.tokens)
})

test('prompt_logprobs are the same numbers, by token id', async () => {
  const ids = await tokensOf(text)
  const { choices } = await post('completions', {
    ...{ prompt: text, echo: true, logprobs: 0, prompt_logprobs: 0, max_tokens: 0, return_token_ids: true },
  })
  const [{ logprobs, prompt_logprobs, prompt_token_ids }] = choices
  expect(prompt_token_ids).toEqual(ids)
  const own = ids.slice(1).map((id, index) => prompt_logprobs[index + 1][id].logprob)
  expect(own).toEqual(logprobs.token_logprobs.slice(1))
})

test('only allowed tokens are sampled, however likely others are; their log probabilities are those of the model', async () => {
  const allowed = (await tokensOf('ring')).slice(-1)
  const body = { prompt: text, max_tokens: 4, temperature: 1, return_token_ids: true }
  const { choices } = await post('completions', { ...body, allowed_token_ids: allowed, logprobs: 1 })
  expect(choices[0].token_ids).toEqual(Array(4).fill(allowed[0]))
  expect(Math.max(...choices[0].logprobs.token_logprobs)).toBeLessThan(0)
})

test('logprob_token_ids: these tokens are reported instead of the most likely ones', async () => {
  const ids = (await tokensOf('ring')).slice(-1)
  const body = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, logprobs: true, logprob_token_ids: ids }
  const { choices } = await post('chat/completions', body)
  expect(choices[0].logprobs.content[0]?.top_logprobs ?? [{}]).toHaveLength(1)
})

test('only the last tokens of a prompt are used, even if all of them would not fit', async () => {
  const ids = await tokensOf(text)
  const long = text.repeat(2000)
  const { choices, usage } = await post('completions', {
    ...{ prompt: long, truncate_prompt_tokens: 3, max_tokens: 1, return_token_ids: true },
  })
  expect(usage.prompt_tokens).toBe(3)
  expect(choices[0].prompt_token_ids).toEqual(ids.slice(-3))
})

test('the chat template of the model', async () => {
  const response = await fetch(`${helix.baseUrl}/tokenizer_info`, { headers: helix.authorized })
  const { chat_template, model_max_length } = tokenizerInfoSchema(await response.json())
  expect(chat_template).toContain('messages')
  expect(model_max_length).toBe(engine.model.contextTokens)
})
