import { ApiError } from '../../base/api-error.ts'
import { isRecord } from '../../base/is-record.ts'
import type { EmbeddingInputs, EngineCaller, PreparedInputs } from '../contract.ts'
import type { AnsweringUpstream } from './read-answer.ts'
import { failed, parseDocument, readAll, readRefusal } from './read-response.ts'
import { callerHeaders } from './upstream-tls.ts'

type EmbeddingUpstream = Pick<AnsweringUpstream, 'client' | 'model' | 'isNode' | 'redact' | 'log'> & {
  contextTokens: number | null
}

type Embedded = { vectors: Float32Array[]; promptTokens: number }

/** Bytes around the vectors, and around each of them. */
const maxOtherBytes = 65_536
const maxVectorBytes = 262_144
/** A tokenizer adds a beginning and an end. */
const addedTokens = 2

/** Inputs that an upstream counts and embeds. */
export const prepareRemoteInputs = (
  upstream: EmbeddingUpstream,
  inputs: EmbeddingInputs,
  caller: EngineCaller,
): PreparedInputs => {
  const promptTokens = maxInputTokens(inputs, upstream.contextTokens)
  let counted = promptTokens
  return {
    promptTokens,
    countedTokens: () => counted,
    async *embed(signal) {
      const embedded = await ask(upstream, inputs, caller, signal)
      // A token has at least one byte, so a larger count cannot be correct.
      counted = Math.min(embedded.promptTokens, promptTokens)
      yield* embedded.vectors
    },
  }
}

/** Longer inputs than the context are refused. */
const maxInputTokens = (inputs: EmbeddingInputs, contextTokens: number | null): number => {
  let max = 0
  for (const input of inputs) {
    const length = typeof input === 'string' ? Buffer.byteLength(input) : input.length
    max += Math.min(length + addedTokens, contextTokens ?? Number.POSITIVE_INFINITY)
  }
  return max
}

const ask = async (
  { client, model, isNode, redact, log }: EmbeddingUpstream,
  inputs: EmbeddingInputs,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<Embedded> => {
  signal.throwIfAborted()
  const body = JSON.stringify({ model, input: inputs, encoding_format: 'base64' })
  const headers = isNode ? { headers: callerHeaders(caller) } : {}
  const call = client.post('/embeddings', body, { stream: false, signal, tenant: caller.ownerId, ...headers })
  let isComplete = false
  try {
    const refused = await readRefusal(await call.head, call, { redact, log })
    if (refused !== null) throw refused
    const document = await readAll(call, maxOtherBytes + inputs.length * maxVectorBytes)
    isComplete = true
    return readDocument(parseDocument(document), inputs.length)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof ApiError) throw error
    throw ApiError.of('upstream_failed', {}, { cause: error })
  } finally {
    call.close(isComplete)
  }
}

const readDocument = (document: unknown, inputs: number): Embedded => {
  if (!isRecord(document) || !Array.isArray(document.data) || !isRecord(document.usage))
    throw failed('it sent no vectors')
  const vectors = new Array<Float32Array | undefined>(inputs)
  for (const entry of document.data) {
    const { index, embedding }: Record<string, unknown> = isRecord(entry) ? entry : {}
    if (typeof index === 'number' && index < inputs && typeof embedding === 'string')
      vectors[index] = decodeVector(embedding)
  }
  const { prompt_tokens: promptTokens } = document.usage
  const known = vectors.filter((vector) => vector !== undefined)
  if (known.length < inputs) throw failed('vectors are missing in its answer')
  if (!Number.isSafeInteger(promptTokens) || Number(promptTokens) < 0) throw failed('its answer has no usage')
  return { vectors: known, promptTokens: Number(promptTokens) }
}

/** Little-endian on every machine. */
const decodeVector = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, 'base64')
  const length = Math.floor(bytes.length / Float32Array.BYTES_PER_ELEMENT)
  return Float32Array.from({ length }, (_, index) => bytes.readFloatLE(index * Float32Array.BYTES_PER_ELEMENT))
}
