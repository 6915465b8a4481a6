import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScoredPairs } from '../../scored-pairs.ts'
import type { PairFormat } from './pair-format.ts'
import { tokenisePairs } from './tokenise-pairs.ts'

const contextTokens = 20
const separators: PairFormat = { type: 'tokens', start: [101], between: [102, 103], end: [102] }
const template: PairFormat = {
  type: 'template',
  text: 'Q {query} D {document} E',
  spellsControl: (text) => text.includes('<'),
}
/** One token per word: its length. */
const tokenise = async (text: string) =>
  Uint32Array.from(
    text.split(' ').filter((word) => word !== ''),
    ({ length }) => length,
  )
const words = (count: number) => 'w '.repeat(count).trim()
const run = (given: Partial<ScoredPairs>, format: PairFormat = separators) =>
  tokenisePairs(
    {
      ...{ queries: ['aa'], documents: ['b ccc'], maxDocumentTokens: null, maxPairTokens: null },
      names: { queries: 'query', documents: 'documents' },
      ...given,
    },
    { contextTokens, format, tokenise },
    () => true,
  )

test('query and document have the tokens of the model around them, or its template', async () => {
  expect(await run({})).toEqual({ inputs: [Uint32Array.of(101, 2, 102, 103, 1, 3, 102)] })
  expect(await run({}, template)).toEqual({ inputs: [Uint32Array.of(1, 2, 1, 1, 3, 1)] })
  const named = { queries: ['{document}'], documents: ['{query}'] }
  expect(await run(named, template)).toEqual({ inputs: [Uint32Array.of(1, 10, 1, 7, 1)] })
})

test('each document has the query at its position, or the only one', async () => {
  const two = await run({ queries: ['a', 'bb'], documents: ['x', 'x'] })
  expect(two).toEqual({
    inputs: [Uint32Array.of(101, 1, 102, 103, 1, 102), Uint32Array.of(101, 2, 102, 103, 1, 102)],
  })
})

test.each([
  [{ documents: ['x', words(30)] }, { reason: 'too_long', index: 1, tokens: 35, isComplete: true }],
  [{ queries: [words(16)] }, { reason: 'query_too_long', index: 0, tokens: 20, isComplete: true }],
  [{ maxPairTokens: 5 }, { reason: 'query_too_long', index: 0, tokens: 5, isComplete: true }],
])('%j is refused', async (given, refusal) => {
  expect(await run(given)).toEqual({ refusal })
})

test('whatever the limits, a pair keeps to them, has all of its query, and is cut only if it has to be', async () => {
  const length = fc.integer({ min: 0, max: 40 })
  const limit = fc.option(fc.integer({ min: 1, max: 30 }), { nil: null })
  const kept = fc.asyncProperty(
    ...([length, length, limit, fc.oneof(limit, fc.constant(-1)), fc.constantFrom(separators, template)] as const),
    async (queryWords, documentWords, maxDocumentTokens, maxPairTokens, format) => {
      const around = queryWords + (format === separators ? 4 : 3)
      const asked = maxPairTokens === null || maxPairTokens < 0 ? contextTokens : maxPairTokens
      const max = Math.min(contextTokens, asked)
      const texts = { queries: [words(queryWords)], documents: [words(documentWords)] }
      const outcome = await run({ ...texts, maxDocumentTokens, maxPairTokens }, format)
      const wanted = Math.min(documentWords, maxDocumentTokens ?? documentWords)
      if (around >= max) expect(outcome).toMatchObject({ refusal: { reason: 'query_too_long' } })
      else if (around + wanted > max && maxPairTokens === null)
        expect(outcome).toMatchObject({ refusal: { reason: 'too_long' } })
      else expect(outcome).toMatchObject({ inputs: [{ length: Math.min(around + wanted, max) }] })
    },
  )
  await fc.assert(kept, { numRuns: 500 })
})

test('a long query with few tokens is tokenised once, and not again with each document', async () => {
  let characters = 0
  const counting = async (text: string) => {
    characters += text.length
    return tokenise(text)
  }
  const query = `${' '.repeat(10_000)}aa`
  const pairs = {
    ...{ queries: [query], documents: Array(50).fill('b ccc'), maxDocumentTokens: null, maxPairTokens: null },
    names: { queries: 'query', documents: 'documents' },
  }
  const { inputs } = Object(
    await tokenisePairs(pairs, { contextTokens, format: template, tokenise: counting }, () => true),
  )
  expect(inputs).toEqual(Array(50).fill(Uint32Array.of(1, 2, 1, 1, 3, 1)))
  expect(characters).toBeLessThan(3 * query.length)
})
