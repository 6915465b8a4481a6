import { ApiError } from '../../base/api-error.ts'
import { isRecord } from '../../base/is-record.ts'
import type { EmbeddingInputs, EngineCaller, ModelInputs, PreparedInputs } from '../contract.ts'
import type { ScoredPairs } from '../scored-pairs.ts'
import type { AnsweringUpstream } from './read-answer.ts'
import { failed, parseDocument, readAll, readRefusal } from './read-response.ts'
import { callerHeaders } from './upstream-tls.ts'

type InputsUpstream = Pick<AnsweringUpstream, 'client' | 'model' | 'isNode' | 'redact' | 'log'> & {
  contextTokens: number | null
}

type Computed = { vectors: Float32Array[]; promptTokens: number }

/** What is sent to which endpoint, and what its answer says. */
type Question = {
  path: string
  body: object
  /** The most bytes of a result. */
  maxResultBytes: number
  /** How many inputs there are, and the most tokens that they can have. */
  inputs: number
  maxTokens: number
  /** Where the answer has the results. */
  list: 'data' | 'results'
  /** The result of an entry; undefined if it has none. */
  read(entry: Record<string, unknown>): Float32Array | undefined
}

/** Around the results. */
const maxOtherBytes = 65_536
const maxVectorBytes = 262_144
const maxScoreBytes = 1024
/** A tokenizer adds a beginning and an end to a text, and a reranker may have a template for pairs. */
const addedTokens = { text: 2, pair: 256 }

/** Inputs that an upstream counts and computes. */
export const prepareRemoteInputs = (
  upstream: InputsUpstream,
  inputs: ModelInputs,
  caller: EngineCaller,
): PreparedInputs => {
  const { contextTokens } = upstream
  const question = 'documents' in inputs ? askScores(inputs, contextTokens) : askVectors(inputs, contextTokens)
  const { maxTokens } = question
  let counted = maxTokens
  return {
    promptTokens: maxTokens,
    countedTokens: () => counted,
    async *embed(signal) {
      const computed = await ask(upstream, question, caller, signal)
      // A token has at least one byte, so a larger count cannot be correct.
      counted = Math.min(computed.promptTokens, maxTokens)
      yield* computed.vectors
    },
  }
}

/** Longer inputs than the context are refused. */
const sumTokens = (lengths: readonly number[], contextTokens: number | null): number =>
  lengths.reduce((sum, length) => sum + Math.min(length, contextTokens ?? Number.POSITIVE_INFINITY), 0)

const askVectors = (inputs: EmbeddingInputs, contextTokens: number | null): Question => {
  const lengths = inputs.map((input) => (typeof input === 'string' ? Buffer.byteLength(input) : input.length))
  return {
    path: '/embeddings',
    body: { input: inputs, encoding_format: 'base64' },
    maxResultBytes: maxVectorBytes,
    inputs: inputs.length,
    maxTokens: sumTokens(
      lengths.map((length) => length + addedTokens.text),
      contextTokens,
    ),
    list: 'data',
    read: ({ embedding }) => (typeof embedding === 'string' ? decodeVector(embedding) : undefined),
  }
}

/** Under the names of the request, so that errors of the upstream name the fields that the caller sent. */
const askScores = (pairs: ScoredPairs, contextTokens: number | null): Question => {
  const { queries, documents, names, maxDocumentTokens, maxPairTokens } = pairs
  const isRerank = names.queries === 'query'
  const queryBytes = queries.map((query) => Buffer.byteLength(query))
  const lengths = documents.map((document, index) => {
    const own = queryBytes[queries.length === 1 ? 0 : index] ?? 0
    return Buffer.byteLength(document) + own + addedTokens.pair
  })
  return {
    path: isRerank ? '/rerank' : '/score',
    body: {
      [names.queries]: isRerank ? queries[0] : queries,
      [names.documents]: documents,
      ...(maxDocumentTokens === null ? {} : { max_tokens_per_doc: maxDocumentTokens }),
      ...(maxPairTokens === null ? {} : { truncate_prompt_tokens: maxPairTokens }),
    },
    maxResultBytes: maxScoreBytes,
    inputs: documents.length,
    maxTokens: sumTokens(lengths, contextTokens),
    list: isRerank ? 'results' : 'data',
    read({ relevance_score, score = relevance_score }) {
      return typeof score === 'number' ? Float32Array.of(score) : undefined
    },
  }
}

const ask = async (
  { client, model, isNode, redact, log }: InputsUpstream,
  question: Question,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<Computed> => {
  signal.throwIfAborted()
  const body = JSON.stringify({ model, ...question.body })
  const headers = isNode ? { headers: callerHeaders(caller) } : {}
  const call = client.post(question.path, body, { stream: false, signal, tenant: caller.ownerId, ...headers })
  let isComplete = false
  try {
    const refused = await readRefusal(await call.head, call, { redact, log })
    if (refused !== null) throw refused
    const document = await readAll(call, maxOtherBytes + question.inputs * question.maxResultBytes)
    isComplete = true
    return readDocument(parseDocument(document), question)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof ApiError) throw error
    throw ApiError.of('upstream_failed', {}, { cause: error })
  } finally {
    call.close(isComplete)
  }
}

const readDocument = (document: unknown, { inputs, list, read }: Question): Computed => {
  const entries = isRecord(document) ? document[list] : null
  if (!isRecord(document) || !Array.isArray(entries) || !isRecord(document.usage)) throw failed('it sent no results')
  const vectors = new Array<Float32Array | undefined>(inputs)
  for (const entry of entries) {
    const { index }: Record<string, unknown> = isRecord(entry) ? entry : {}
    const vector = isRecord(entry) ? read(entry) : undefined
    if (typeof index === 'number' && index < inputs && vector !== undefined) vectors[index] = vector
  }
  const { prompt_tokens: promptTokens } = document.usage
  const known = vectors.filter((vector) => vector !== undefined)
  if (known.length < inputs) throw failed('results are missing in its answer')
  if (!Number.isSafeInteger(promptTokens) || Number(promptTokens) < 0) throw failed('its answer has no usage')
  return { vectors: known, promptTokens: Number(promptTokens) }
}

/** Little-endian on every machine. */
const decodeVector = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, 'base64')
  const length = Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT)
  return Float32Array.from({ length }, (_, index) => bytes.readFloatLE(index * Float32Array.BYTES_PER_ELEMENT))
}
