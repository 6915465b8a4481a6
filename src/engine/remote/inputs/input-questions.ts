/** What an upstream is asked to embed or to score, and how its answer is read. */
import { ApiError } from '../../../base/api-error.ts'
import type { EmbeddingInputs, ModelInputs } from '../../contract.ts'
import type { ScoredPairs } from '../../scored-pairs.ts'
import type { UpstreamDialect } from '../upstream-kinds.ts'
import { numberPieces, textPieces } from '../write-in-turns.ts'
import type { InputAnswerForm } from './read-input-answer.ts'

export type InputQuestion = {
  path: '/embeddings' | '/rerank' | '/score'
  /** The JSON of the request with these further fields, in pieces. */
  body(further: Readonly<Record<string, string>>): Iterable<string>
  form: InputAnswerForm
  /** How many inputs the whole request has. */
  allInputs: number
  /** The most bytes of the answer. */
  maxBytes: number
  /** Of each input, the most tokens that it can have: a token has at least one byte. */
  maxTokens: readonly number[]
  /** All texts, to be counted or estimated; the same text may stand for several inputs. */
  texts: readonly { text: string; times: number }[]
  /** Tokens that were sent as such. */
  idTokens: number
}

/** More inputs go to the upstream in several requests, one after the other: an answer is read as a whole. */
const maxInputsAtOnce = 256
/** Around the results. */
const maxOtherBytes = 65_536
const maxVectorBytes = 262_144
/** Of the vectors of a request, as JSON of one answer and as numbers of all. */
export const maxVectorsBytes = 64 * 1024 * 1024
const maxScoreBytes = 1024
/** A tokenizer adds a beginning and an end to a text, and a reranker may have a template for pairs. */
const addedTokens = { text: 2, pair: 256 }

/** In the order of the inputs. */
export const askInputs = (inputs: ModelInputs, dialect: UpstreamDialect): InputQuestion[] => {
  if ('documents' in inputs) return [askScores(inputs, dialect)]
  const parts = Math.ceil(inputs.length / maxInputsAtOnce)
  return Array.from({ length: parts }, (_, part) =>
    askVectors(inputs.slice(part * maxInputsAtOnce, (part + 1) * maxInputsAtOnce), inputs.length),
  )
}

const askVectors = (inputs: EmbeddingInputs, allInputs: number): InputQuestion => ({
  path: '/embeddings',
  body: (further) => vectorPieces(inputs, further),
  form: { list: 'data', count: inputs.length, isScores: false },
  allInputs,
  maxBytes: maxOtherBytes + Math.min(inputs.length * maxVectorBytes, maxVectorsBytes),
  maxTokens: inputs.map(
    (input) => (typeof input === 'string' ? Buffer.byteLength(input) : input.length) + addedTokens.text,
  ),
  texts: inputs.flatMap((input) => (typeof input === 'string' ? { text: input, times: 1 } : [])),
  idTokens: inputs.reduce((sum, input) => sum + (typeof input === 'string' ? 0 : input.length), 0),
})

function* vectorPieces(inputs: EmbeddingInputs, further: Readonly<Record<string, string>>): Generator<string, void> {
  yield `${JSON.stringify(further).slice(0, -1)},"input":[`
  for (const [index, input] of inputs.entries()) {
    if (index > 0) yield ','
    yield* typeof input === 'string' ? textPieces(input) : numberPieces(input)
  }
  yield ']}'
}

/** Under the names of the request, so that errors of the upstream name the fields that the caller sent. */
const askScores = (pairs: ScoredPairs, { pairs: accepted }: UpstreamDialect): InputQuestion => {
  const { queries, documents, names, maxDocumentTokens, maxPairTokens } = pairs
  refuseUnaccepted(pairs, accepted)
  const isRerank = names.queries === 'query' || accepted.path === 'rerank'
  const fields = isRerank ? { queries: 'query', documents: 'documents' } : names
  const queryBytes = queries.map((query) => Buffer.byteLength(query))
  const documentBytes = documents.map((document) => Buffer.byteLength(document))
  const bytesOfQuery = (index: number): number => queryBytes[queries.length === 1 ? 0 : index] ?? 0
  const body = {
    [fields.queries]: isRerank ? queries[0] : queries,
    [fields.documents]: documents,
    ...(maxDocumentTokens === null ? {} : { max_tokens_per_doc: maxDocumentTokens }),
    ...(maxPairTokens === null ? {} : { truncate_prompt_tokens: maxPairTokens }),
  }
  return {
    path: isRerank ? '/rerank' : '/score',
    body: (further) => [JSON.stringify({ ...further, ...body })],
    form: { list: isRerank ? 'results' : 'data', count: documents.length, isScores: true },
    allInputs: documents.length,
    // Some repeat the documents; JSON may need six bytes for one.
    maxBytes: maxOtherBytes + documents.length * maxScoreBytes + 6 * documentBytes.reduce((sum, one) => sum + one, 0),
    maxTokens: documentBytes.map((bytes, index) => bytes + bytesOfQuery(index) + addedTokens.pair),
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
