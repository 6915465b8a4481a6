import { beforeAll, expect, test } from 'vitest'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { readError } from '../harness/read-error.ts'
import { openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

const prefixes = { query: 'query: ', passage: 'passage: ' }
const embedder = openScriptedEmbedder({ model: { prefixes } })
let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ startEngine: () => embedder })
  return helix.close
})
const embed = async (body: Record<string, unknown>) => {
  const response = await postEmbeddings(helix, body)
  expect(response.status).toBe(200)
  const { usage } = (await response.json()) as { usage: { prompt_tokens: number } }
  return { given: embedder.prepared.at(-1), tokens: usage.prompt_tokens, ignored: ignoredBy(response) }
}
const ignoredBy = (response: Response) => response.headers.get('x-helix-ignored-fields')

test.each([
  [{}, 'query: '],
  [{ input_type: null }, 'query: '],
  [{ input_type: 'query' }, 'query: '],
  [{ input_type: 'search_query' }, 'query: '],
  [{ input_type: 'passage' }, 'passage: '],
  [{ input_type: 'search_document' }, 'passage: '],
])('%j puts a prefix in front of each text, which is counted and billed', async (body, prefix) => {
  const { given, tokens, ignored } = await embed({ ...body, input: ['one', 'and two'] })
  expect(given).toEqual([`${prefix}one`, `${prefix}and two`])
  expect(tokens).toBe(5)
  expect(ignored).toBeNull()
})

test('texts that have a prefix, and token IDs, stay as they are', async () => {
  const input = ['query: one', 'passage: two', 'Query: three', [5, 6]]
  const { given } = await embed({ input, input_type: 'passage' })
  expect(given).toEqual(['query: one', 'passage: two', 'passage: Query: three', [5, 6]])
})

test('a model without prefixes ignores the field, and says so', async () => {
  const plain = openScriptedEmbedder()
  const other = await startHelix({ startEngine: () => plain })
  const response = await postEmbeddings(other, { input: ['one'], input_type: 'passage' })
  expect(response.status).toBe(200)
  expect(ignoredBy(response)).toBe('input_type')
  expect(plain.prepared).toEqual([['one']])
  expect(ignoredBy(await postEmbeddings(other, { input: ['one'] }))).toBeNull()
})

test.each([
  [{ input_type: 'document' }, 'input_type'],
  [{ input_type: 7 }, 'input_type'],
  [{ truncate_prompt_tokens: -2 }, 'truncate_prompt_tokens'],
  [{ truncate_prompt_tokens: '4' }, 'truncate_prompt_tokens'],
  [{ truncate: 'START' }, 'truncate'],
])('%j is refused', async (body, param) => {
  const response = await postEmbeddings(helix, { input: 'one', ...body })
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param })
})

test('inputs are only cut by a model that runs here; asking for nothing is accepted everywhere', async () => {
  for (const body of [{ truncate_prompt_tokens: 4 }, { truncate: true }]) {
    const response = await postEmbeddings(helix, { input: 'one', ...body })
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ param: 'truncate_prompt_tokens', code: 'unsupported_parameter' })
  }
  for (const body of [{ truncate_prompt_tokens: 0 }, { truncate: false }, { truncate: 'NONE' }, { truncate: null }])
    await embed({ input: 'one', ...body })
})
