/** What an upstream is asked to embed or to score, and how its answer is read. */
import { ApiError } from '../../base/api-error.ts'
import type { EmbeddingInputs, ModelInputs } from '../contract.ts'
import type { ScoredPairs } from '../scored-pairs.ts'
import type { UpstreamDialect } from './upstream-kinds.ts'

export type InputQuestion = {
  path: '/embeddings' | '/rerank' | '/score'
  body: object
  /** The most bytes of the answer. */
  maxBytes: number
  /** Of each input, the most tokens that it can have: a token has at least one byte. */
  maxTokens: readonly number[]
  /** Where the answer has the results. */
  list: 'data' | 'results'
  /** The result of an entry; undefined if it has none. */
  read(entry: Record<string, unknown>): Float32Array | undefined
  /** All texts, to be counted or estimated; the same text may stand for several inputs. */
  texts: readonly { text: string; times: number }[]
  /** Tokens that were sent as such. */
  idTokens: number
}

/** Around the results. */
const maxOtherBytes = 65_536
const maxVectorBytes = 262_144
/** Of all vectors of a request: they are parsed at once. */
const maxVectorsBytes = 64 * 1024 * 1024
const maxScoreBytes = 1024
/** A tokenizer adds a beginning and an end to a text, and a reranker may have a template for pairs. */
const addedTokens = { text: 2, pair: 256 }

export const askInputs = (inputs: ModelInputs, dialect: UpstreamDialect): InputQuestion =>
  'documents' in inputs ? askScores(inputs, dialect) : askVectors(inputs, dialect)

const askVectors = (inputs: EmbeddingInputs, { encodesVectors }: UpstreamDialect): InputQuestion => ({
  path: '/embeddings',
  body: { input: inputs, ...(encodesVectors ? { encoding_format: 'base64' } : {}) },
  maxBytes: maxOtherBytes + Math.min(inputs.length * maxVectorBytes, maxVectorsBytes),
  maxTokens: inputs.map(
    (input) => (typeof input === 'string' ? Buffer.byteLength(input) : input.length) + addedTokens.text,
  ),
  list: 'data',
  read: ({ embedding }) => readVector(embedding),
  texts: inputs.flatMap((input) => (typeof input === 'string' ? { text: input, times: 1 } : [])),
  idTokens: inputs.reduce((sum, input) => sum + (typeof input === 'string' ? 0 : input.length), 0),
})

/** Under the names of the request, so that errors of the upstream name the fields that the caller sent. */
const askScores = (pairs: ScoredPairs, { pairs: accepted }: UpstreamDialect): InputQuestion => {
  const { queries, documents, names, maxDocumentTokens, maxPairTokens } = pairs
  refuseUnaccepted(pairs, accepted)
  const isRerank = names.queries === 'query' || accepted.path === 'rerank'
  const fields = isRerank ? { queries: 'query', documents: 'documents' } : names
  const queryBytes = queries.map((query) => Buffer.byteLength(query))
  const documentBytes = documents.map((document) => Buffer.byteLength(document))
  const bytesOfQuery = (index: number): number => queryBytes[queries.length === 1 ? 0 : index] ?? 0
  return {
    path: isRerank ? '/rerank' : '/score',
    body: {
      [fields.queries]: isRerank ? queries[0] : queries,
      [fields.documents]: documents,
      ...(maxDocumentTokens === null ? {} : { max_tokens_per_doc: maxDocumentTokens }),
      ...(maxPairTokens === null ? {} : { truncate_prompt_tokens: maxPairTokens }),
    },
    // Some repeat the documents; JSON may need six bytes for one.
    maxBytes: maxOtherBytes + documents.length * maxScoreBytes + 6 * documentBytes.reduce((sum, one) => sum + one, 0),
    maxTokens: documentBytes.map((bytes, index) => bytes + bytesOfQuery(index) + addedTokens.pair),
    list: isRerank ? 'results' : 'data',
    read({ relevance_score, score = relevance_score }) {
      return typeof score === 'number' ? Float32Array.of(score) : undefined
    },
    texts: [
      ...queries.map((text) => ({ text, times: queries.length === 1 ? documents.length : 1 })),
      ...documents.map((text) => ({ text, times: 1 })),
    ],
    idTokens: 0,
  }
}

/** By the name of the field. */
const refuseUnaccepted = (
  { queries, names, maxDocumentTokens, maxPairTokens }: ScoredPairs,
  { path, fields }: UpstreamDialect['pairs'],
): void => {
  const refuse = (field: string): never => {
    throw ApiError.of('unsupported_parameter', { path: field }, { param: field })
  }
  if (maxDocumentTokens !== null && !fields.includes('max_tokens_per_doc')) refuse('max_tokens_per_doc')
  if (maxPairTokens !== null && !fields.includes('truncate_prompt_tokens')) refuse('truncate_prompt_tokens')
  if (queries.length > 1 && path === 'rerank') refuse(names.queries)
}

/** Numbers, or little-endian floats in Base64. */
const readVector = (embedding: unknown): Float32Array | undefined => {
  if (typeof embedding === 'string') return decodeVector(embedding)
  if (!Array.isArray(embedding) || embedding.length === 0) return undefined
  const isNumeric = embedding.every((value: unknown) => typeof value === 'number')
  return isNumeric ? Float32Array.from(embedding) : undefined
}

/** Little-endian on every machine. Undefined if it is not that, or if one is not a number. */
const decodeVector = (base64: string): Float32Array | undefined => {
  const bytes = Buffer.from(base64, 'base64')
  const length = bytes.length / Float32Array.BYTES_PER_ELEMENT
  if (length === 0 || !Number.isInteger(length)) return undefined
  const vector = Float32Array.from({ length }, (_, index) => bytes.readFloatLE(index * Float32Array.BYTES_PER_ELEMENT))
  return vector.every(Number.isFinite) ? vector : undefined
}
