/** Reads what an upstream has answered for inputs, with the same result on every thread. */
import { endianness } from 'node:os'
import { isRecord } from '../../../base/is-record.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'

/** `list`: where the answer has its results. `count`: how many there have to be. */
export type InputAnswerForm = { list: 'data' | 'results'; count: number; isScores: boolean }

/**
 * `numbers`: all vectors in the order of the inputs, one behind the other; a score is a vector of one number. `claimed`: the tokens
 * that the upstream says it has counted; null if it says nothing.
 */
export type InputAnswer = { numbers: Float32Array<ArrayBuffer>; claimed: number | null } | { problem: string }

/** `blocks`: the document. */
export type InputAnswerJob = { blocks: Uint8Array<ArrayBuffer>[]; form: InputAnswerForm }

/** Unknown fields are ignored, and so are results of inputs that do not exist. */
export const readInputAnswer = (document: Uint8Array, { list, count, isScores }: InputAnswerForm): InputAnswer => {
  const answer = parse(document)
  if (answer === undefined) return { problem: 'its answer is not JSON' }
  const entries = isRecord(answer) ? answer[list] : null
  if (!Array.isArray(entries)) return { problem: 'it sent no results' }
  const results = new Map<number, Float32Array>()
  for (const entry of entries) {
    if (!isRecord(entry)) continue
    const index = Number.isSafeInteger(entry.index) ? Number(entry.index) : -1
    if (index < 0 || index >= count || results.has(index)) continue
    const result = isScores ? readScore(entry) : readVector(entry.embedding)
    if (result !== undefined) results.set(index, result)
  }
  if (results.size < count) return { problem: 'results are missing in its answer' }
  const length = results.get(0)?.length ?? 0
  const numbers = new Float32Array(count * length)
  for (const [index, result] of results) {
    if (result.length !== length) return { problem: 'its vectors have different lengths' }
    numbers.set(result, index * length)
  }
  return { numbers, claimed: claimedTokens(answer) }
}

/** Some servers begin a document with a mark of its byte order, which the decoder leaves out. */
const parse = (document: Uint8Array): unknown => {
  try {
    return parseJsonText(new TextDecoder().decode(document))
  } catch {
    return undefined
  }
}

const readScore = ({ relevance_score, score = relevance_score }: Record<string, unknown>): Float32Array | undefined =>
  typeof score === 'number' ? Float32Array.of(score) : undefined

/** Numbers, or little-endian floats in Base64. Undefined if it is neither, or if one is not a number. */
const readVector = (embedding: unknown): Float32Array | undefined => {
  const vector = typeof embedding === 'string' ? decodeVector(embedding) : numericVector(embedding)
  return vector.length > 0 && vector.every(Number.isFinite) ? vector : undefined
}

const numericVector = (embedding: unknown): Float32Array => {
  const isNumeric = Array.isArray(embedding) && embedding.every((value: unknown) => typeof value === 'number')
  return isNumeric ? Float32Array.from(embedding) : new Float32Array()
}

const decodeVector = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) return new Float32Array()
  const littleEndian = endianness() === 'LE' ? bytes : bytes.swap32()
  return new Float32Array(Uint8Array.from(littleEndian).buffer)
}

/** `usage` of most upstreams, and `meta` of Cohere's API. Null if it is missing, or is no count. */
const claimedTokens = (answer: unknown): number | null => {
  const { usage, meta } = isRecord(answer) ? answer : {}
  const { tokens, billed_units: billed } = isRecord(meta) ? meta : {}
  const claims: unknown[] = []
  if (isRecord(usage)) claims.push(usage.prompt_tokens, usage.input_tokens, usage.total_tokens)
  for (const counts of [tokens, billed]) if (isRecord(counts)) claims.push(counts.input_tokens)
  const claim = claims.find((one) => Number.isSafeInteger(one) && Number(one) >= 0)
  return claim === undefined ? null : Number(claim)
}
