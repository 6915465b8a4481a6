import { beforeAll, expect, test } from 'vitest'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { readError } from '../harness/read-error.ts'
import { openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { openScriptedReranker, postPairs, rerankerName } from '../harness/scripted-reranker.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ startEngine: openScriptedReranker })
  return helix.close
})
const valid = { rerank: { query: 'a', documents: ['a'] }, score: { text_1: 'a', text_2: 'a' } }
const errorOf = async (path: 'rerank' | 'score', body: Record<string, unknown>) => {
  const response = await postPairs(helix, path, body)
  expect(response.status).toBe(400)
  return readError(response)
}

test.each([
  ['rerank', { documents: ['a'] }, 'query', 'missing_required_parameter'],
  ['rerank', { query: 'a' }, 'documents', 'missing_required_parameter'],
  ['rerank', { query: 'a', documents: [] }, 'documents', 'empty_array'],
  ['rerank', { query: 'a', documents: new Array(2049).fill('a') }, 'documents', 'array_above_max_length'],
  ['rerank', { query: 'a', documents: 'a' }, 'documents', 'invalid_type'],
  ['rerank', { query: 'a', documents: ['a', 5] }, 'documents[1]', 'invalid_type'],
  ['rerank', { query: 'a', documents: ['a', { image: 'x' }] }, 'documents[1].text', 'missing_required_parameter'],
  ['rerank', { query: ['a'], documents: ['a'] }, 'query', 'invalid_type'],
  ['rerank', { ...valid.rerank, top_n: -1 }, 'top_n', 'integer_below_min_value'],
  ['rerank', { ...valid.rerank, return_documents: 'yes' }, 'return_documents', 'invalid_type'],
  ['rerank', { ...valid.rerank, max_tokens_per_doc: 0 }, 'max_tokens_per_doc', 'integer_below_min_value'],
  ['rerank', { ...valid.rerank, truncate_prompt_tokens: -2 }, 'truncate_prompt_tokens', 'integer_below_min_value'],
  ['rerank', { ...valid.rerank, rank_fields: ['title'] }, 'rank_fields', 'unsupported_parameter'],
  ['score', {}, 'text_1', 'missing_required_parameter'],
  ['score', { text_1: 'a' }, 'text_2', 'missing_required_parameter'],
  ['score', { documents: 'a' }, 'queries', 'missing_required_parameter'],
  ['score', { text_1: 'a', documents: 'a' }, 'documents', 'invalid_value'],
  ['score', { text_1: ['a', 'b'], text_2: ['a', 'b', 'c'] }, 'text_1', 'invalid_value'],
  ['score', { queries: ['a', 'b'], documents: 'a' }, 'queries', 'invalid_value'],
] as const)('%s %j', async (path, body, param, code) => {
  expect(await errorOf(path, body)).toMatchObject({ type: 'invalid_request_error', param, code })
})

test('a model of another kind is refused on both sides, with what it is for', async () => {
  expect(await errorOf('rerank', { ...valid.rerank, model: undefined })).toMatchObject({
    message: expect.stringContaining('model'),
  })
  const chat = await helix.chat({ model: rerankerName })
  expect(chat.status).toBe(400)
  expect(await readError(chat)).toMatchObject({
    code: 'model_not_supported',
    message: `The model \`${rerankerName}\` scores documents and does not generate text. Use it with POST /v1/rerank, or choose a chat model.`,
  })
  const embeddings = await postEmbeddings(helix, { model: rerankerName, input: 'a' })
  expect(await readError(embeddings)).toMatchObject({
    code: 'model_not_supported',
    message: `The model \`${rerankerName}\` scores documents and does not create embeddings. Choose an embedding model.`,
  })
  const [chatting, embedding] = [await startHelix(), await startHelix({ startEngine: openScriptedEmbedder })]
  for (const [server, model, does] of [
    [chatting, modelName, 'generates text'],
    [embedding, 'tiny-embedding', 'creates embeddings'],
  ] as const)
    for (const path of ['rerank', 'score'] as const) {
      const refused = await postPairs(server, path, { ...valid[path], model })
      expect(refused.status).toBe(400)
      expect(await readError(refused)).toMatchObject({
        code: 'model_not_supported',
        param: 'model',
        message: `The model \`${model}\` ${does} and does not rerank documents. Choose a reranking model.`,
      })
    }
})

test('a score that is no number fails, and is not billed', async () => {
  const engine = openScriptedReranker()
  const broken = await startHelix({
    startEngine: () => ({
      ...engine,
      prepareInputs: async () => ({
        promptTokens: 1,
        async *embed() {
          yield Float32Array.of(Number.NaN)
        },
      }),
    }),
  })
  expect((await postPairs(broken, 'rerank', valid.rerank)).status).toBe(500)
})
