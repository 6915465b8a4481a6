import { beforeAll, expect, test } from 'vitest'
import { openTinyEngine } from '../../../../test/harness/open-tiny-engine.ts'
import type { ScoredPairs } from '../../scored-pairs.ts'
import type { EmbeddedEngine } from '../embedded-engine.ts'

const never = new AbortController().signal
const query = 'money in the bank'
const documents = [
  'the river bank',
  'a cat and a dog',
  'money',
  'the house is in the water of the river, and the dog is in the house.',
  '',
]
let engine: EmbeddedEngine
beforeAll(async () => {
  engine = await openTinyEngine('tiny-reranker')
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
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
test('x', async () => {
  console.log(await score({}))
  console.log(engine.model)
  const other = await openTinyEngine('tiny-template-reranker')
  await other.firstLoad
  console.log(await score({}, other))
})
