import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../../base/api-error.ts'
import { readRerankRequest } from './read-rerank-request.ts'
import { readScoreRequest } from './read-score-request.ts'

const needs = { copy: false, strict: true }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value))
const text = fc.string({ unit: 'grapheme', maxLength: 20 })
/** A text, as a string and as an object. */
const asSent = (plain: string, isObject: boolean) => (isObject ? { text: plain } : plain)
const texts = fc.array(text, { minLength: 1, maxLength: 6 })
const unset = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const limits = fc.record({
  truncate_prompt_tokens: unset(fc.integer({ min: -1, max: 1000 })),
  max_tokens_per_doc: unset(fc.integer({ min: 1, max: 1000 })),
  use_activation: unset(fc.boolean()),
})

test('a valid body of either endpoint is read as the texts and limits that were sent', () => {
  const read = fc.property(
    texts,
    text,
    fc.boolean(),
    fc.boolean(),
    limits,
    (documents, query, isObject, isOther, set) => {
      const sent = { model: 'm', ...set, documents: documents.map((one) => asSent(one, isObject)) }
      const pairs = {
        queries: [query],
        documents,
        maxDocumentTokens: set.max_tokens_per_doc,
        maxPairTokens: set.truncate_prompt_tokens || null,
      }
      const ranked = readRerankRequest(encode({ ...sent, query: asSent(query, isObject) }), needs)
      expect(ranked).toMatchObject({ pairs, maxResults: documents.length, usesActivation: set.use_activation ?? false })
      const { documents: listed, ...rest } = sent
      const scored = isOther
        ? { ...sent, queries: asSent(query, isObject) }
        : { ...rest, text_1: [asSent(query, isObject)], text_2: listed }
      expect(readScoreRequest(encode(scored), needs)).toMatchObject({ pairs })
    },
  )
  fc.assert(read)
})

test('lists of texts are paired, or one is for all; any other numbers are refused', () => {
  const paired = fc.property(texts, texts, (queries, documents) => {
    const read = () => readScoreRequest(encode({ model: 'm', text_1: queries, text_2: documents }), needs)
    if (queries.length === 1 || queries.length === documents.length)
      expect(read().pairs).toMatchObject({ queries, documents })
    else expect(read).toThrow('one for each')
  })
  fc.assert(paired)
})

test('any other JSON is refused with an error for callers, and never throws anything else', () => {
  const fields = ['query', 'documents', 'text_1', 'text_2', 'queries', 'top_n', 'truncate_prompt_tokens'] as const
  const body = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...fields, 'model', 'mood'), fc.oneof(fc.jsonValue(), texts, text)),
  )
  const refused = fc.property(body, fc.boolean(), (sent, strict) => {
    for (const read of [readRerankRequest, readScoreRequest])
      try {
        const { pairs } = read(encode(sent), { copy: true, strict })
        expect(pairs.documents.length).toBeGreaterThan(0)
        for (const one of [...pairs.queries, ...pairs.documents]) expect(one).toBeTypeOf('string')
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject({ status: 400 })
      }
  })
  fc.assert(refused, { numRuns: 500 })
})
