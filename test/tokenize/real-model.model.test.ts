import { beforeAll, expect, test } from 'vitest'
import { tokenListSchema, tokenTextSchema } from '../../src/api/tokenize/response-schema.ts'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let engine: EmbeddedEngine
beforeAll(async () => {
  engine = await openTinyEngine('tiny-chat')
  await engine.firstLoad
  helix = await openHelix({ startEngine: () => engine })
  return helix.close
})
const post = (path: string, body: Record<string, unknown>) =>
  fetch(`${helix.baseUrl}/${path}`, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: engine.model.id, ...body }),
  })
const tokenize = async (body: Record<string, unknown>) =>
  tokenListSchema(await (await post('tokenize', { return_token_strs: true, ...body })).json())
const textOf = async (tokens: readonly number[]) =>
  tokenTextSchema(await (await post('detokenize', { tokens })).json()).prompt

test('a text becomes tokens of the vocabulary, and they become the same text', async () => {
  const text = 'in the ring 日本 🙂'
  const { count, tokens, token_strs, max_model_len } = await tokenize({ prompt: text, add_special_tokens: false })
  expect(count).toBe(tokens.length)
  expect(max_model_len).toBe(engine.model.contextTokens)
  expect(token_strs?.slice(0, 2)).toEqual(['in', 'Ġthe'])
  expect(await textOf(tokens)).toBe(text)
})

test('a part of a character has no text of its own', async () => {
  const { tokens } = await tokenize({ prompt: '🙂', add_special_tokens: false })
  expect(tokens).toHaveLength(4)
  expect(await textOf(tokens.slice(0, 2))).toBe('\uFFFD')
})

test('the prompt of a conversation is shown with the special tokens of the template', async () => {
  const messages = [{ role: 'user', content: 'the' }]
  const { tokens, token_strs } = await tokenize({ messages })
  expect(token_strs?.filter((spelling) => spelling.startsWith('<|im_'))).toHaveLength(3)
  expect(await textOf(tokens)).toMatch(/<\|im_start\|>user\nthe<\|im_end\|>\n<\|im_start\|>assistant\n$/)
  const { usage } = (await (await helix.chat({ model: engine.model.id, messages, max_tokens: 1 })).json()) as {
    usage: { prompt_tokens: number }
  }
  expect(tokens).toHaveLength(usage.prompt_tokens)
})

test('a text longer than the context is refused before all of it is tokenised', async () => {
  const response = await post('tokenize', { prompt: 'cat '.repeat(100_000) })
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ code: 'context_length_exceeded' })
})
