import { beforeAll, expect, test } from 'vitest'
import { openTinyEngine } from '../../../../test/harness/open-tiny-engine.ts'
import type { ScoredPairs } from '../../scored-pairs.ts'
import type { EmbeddedEngine } from '../embedded-engine.ts'

const never = new AbortController().signal
const contextTokens = 256
const query = 'money in the bank'
const documents = [
  'the river bank',
  'a cat and a dog',
  'money',
  'the house is in the water of the river, and the dog is in the house.',
  '',
]
/** Of llama-server for the same files, version and documents, without flash attention. */
const expected = {
  'tiny-reranker': { promptTokens: 57, scores: [-0.529339, -0.0981062, -0.6797965, -0.2661929, -0.5263028] },
  'tiny-template-reranker': { promptTokens: 147, scores: [-0.315057, -0.3774872, -0.3558226, -0.4420716, -0.3390948] },
}

let engine: EmbeddedEngine
let withTemplate: EmbeddedEngine
beforeAll(async () => {
  engine = await openTinyEngine('tiny-reranker')
  withTemplate = await openTinyEngine('tiny-template-reranker')
  for (const opened of [engine, withTemplate]) expect(await opened.firstLoad).toEqual({ outcome: 'ready' })
})

const pairs = (given: Partial<ScoredPairs>): ScoredPairs => ({
  ...{ queries: [query], documents, maxDocumentTokens: null, maxPairTokens: null },
  names: { queries: 'query', documents: 'documents' },
  ...given,
})
const score = async (given: Partial<ScoredPairs>, on = engine) => {
  const prepared = await on.prepareInputs(pairs(given), never)
  const scores = await Array.fromAsync(prepared.embed(never), ([one = Number.NaN]) => one)
  return { scores, promptTokens: prepared.promptTokens }
}

test('the engine says that it reranks', () => {
  expect(engine.model).toMatchObject({ features: new Set(['rerank']), contextTokens })
})

test('scores and token counts are those of llama-server, with separator tokens and with a template', async () => {
  for (const opened of [engine, withTemplate]) {
    const { scores, promptTokens } = await score({}, opened)
    const reference = expected[opened.model.id as keyof typeof expected]
    expect(promptTokens).toBe(reference.promptTokens)
    for (const [index, one] of scores.entries()) expect(one).toBeCloseTo(reference.scores[index] ?? 9, 4)
  }
})

test('a pair has the same score alone, among others and with a query of its own', async () => {
  const { scores: together } = await score({})
  const { scores: paired } = await score({ queries: documents.map(() => query) })
  for (const [index, document] of documents.entries()) {
    const { scores: alone } = await score({ documents: [document] })
    expect(alone[0]).toBeCloseTo(together[index] ?? 9, 4)
    expect(paired[index]).toBeCloseTo(together[index] ?? 9, 4)
  }
  const { scores: swapped } = await score({ queries: documents.map((_, index) => (index === 2 ? 'x' : query)) })
  expect(Math.abs((swapped[2] ?? 0) - (together[2] ?? 0))).toBeGreaterThan(1e-3)
})

test('many documents, more than fit a batch, keep their order', async () => {
  const many = Array.from({ length: 200 }, (_, index) => `the house ${index} ${'water '.repeat(index % 17)}`)
  const { scores } = await score({ documents: many })
  for (const index of [0, 63, 64, 199]) {
    const { scores: alone } = await score({ documents: [many[index] ?? ''] })
    expect(alone[0]).toBeCloseTo(scores[index] ?? 9, 4)
  }
})

test.each(['tiny-reranker', 'tiny-template-reranker'] as const)(
  'a pair that is too long is refused or cut: %s',
  async (id) => {
    const on = id === 'tiny-reranker' ? engine : withTemplate
    const long = ['x', 'cat '.repeat(100_000)]
    await expect(score({ documents: long }, on)).rejects.toMatchObject({
      errorName: 'pair_too_long',
      options: { param: 'documents[1]' },
    })
    const cut = await score({ documents: [long[1] ?? ''], maxPairTokens: -1 }, on)
    expect(cut.promptTokens).toBe(contextTokens)
    expect((await score({ documents: [long[1] ?? ''], maxPairTokens: 60 }, on)).promptTokens).toBe(60)
    const short = await score({ documents: ['cat cat cat'] }, on)
    const shortened = await score({ documents: [long[1] ?? ''], maxDocumentTokens: 3 }, on)
    expect(shortened.promptTokens).toBe(short.promptTokens)
    expect(shortened.scores[0]).toBeCloseTo(short.scores[0] ?? 9, 4)
    await expect(score({ queries: ['cat '.repeat(300)], maxPairTokens: -1 }, on)).rejects.toMatchObject({
      errorName: 'query_too_long',
      options: { param: 'query' },
    })
  },
)

test('a control token that a text spells out stays text', async () => {
  const spelled = await score({ documents: ['a cat[SEP]a dog'] }, withTemplate)
  const plain = await score({ documents: ['a cat a dog'] }, withTemplate)
  // [ s e p ] are five tokens, and none of them is the separator.
  expect(spelled.promptTokens).toBe(plain.promptTokens + 5)
})

test('a reranker creates no embeddings', async () => {
  await expect(engine.prepareInputs(['x'], never)).rejects.toMatchObject({ errorName: 'model_not_for_embeddings' })
})
