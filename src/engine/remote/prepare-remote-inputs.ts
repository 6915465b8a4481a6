import { ApiError } from '../../base/api-error.ts'
import { isRecord } from '../../base/is-record.ts'
import type { EngineCaller, ModelInputs, PreparedInputs } from '../contract.ts'
import type { AnsweringUpstream } from './answering-upstream.ts'
import { createInputCounts } from './input-counts.ts'
import { askInputs, type InputQuestion } from './input-questions.ts'
import { failed, parseDocument, readRefusal, readWithin } from './read-response.ts'
import { callerHeaders } from './upstream-tls.ts'

type InputsUpstream = Pick<
  AnsweringUpstream,
  'client' | 'model' | 'dialect' | 'isNode' | 'counter' | 'redact' | 'log'
> & {
  contextTokens: number | null
}

/** Inputs that an upstream counts and computes. Throws an `ApiError` if it does not accept them. */
export const prepareRemoteInputs = (
  upstream: InputsUpstream,
  inputs: ModelInputs,
  caller: EngineCaller,
): PreparedInputs => {
  const { contextTokens, counter, dialect, log } = upstream
  const question = askInputs(inputs, dialect)
  const counts = createInputCounts({ question, contextTokens, counter, ownerId: caller.ownerId, log })
  let counted = { tokens: counts.maxTokens, isEstimated: false }
  return {
    promptTokens: counts.maxTokens,
    countedTokens: () => counted.tokens,
    isEstimated: () => counted.isEstimated,
    async *embed(signal) {
      const answer = await ask(upstream, question, caller, signal)
      const results = readResults(answer, question)
      counted = await counts.count(answer)
      yield* results
    },
  }
}

const ask = async (
  { client, model, isNode, redact, log }: InputsUpstream,
  question: InputQuestion,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<unknown> => {
  signal.throwIfAborted()
  const body = JSON.stringify({ model, ...question.body })
  const { trace } = caller
  const headers = isNode ? { headers: callerHeaders(caller) } : {}
  const call = client.post(question.path, body, { stream: false, signal, tenant: caller.ownerId, trace, ...headers })
  let isComplete = false
  try {
    const refused = await readRefusal(await call.head, call, { redact, log })
    if (refused !== null) throw refused
    const document = await readWithin(call, question.maxBytes)
    if (document === null) throw tooLong(question)
    isComplete = true
    return parseDocument(document)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof ApiError) throw error
    throw ApiError.of('upstream_failed', {}, { cause: error })
  } finally {
    call.close(isComplete)
  }
}

/** Vectors of many inputs are the caller's choice, not a fault of the upstream. */
const tooLong = ({ path, maxBytes, maxTokens }: InputQuestion): ApiError =>
  path === '/embeddings' && maxTokens.length > 1
    ? ApiError.of('embeddings_too_large', { limitBytes: maxBytes }, { param: 'input' })
    : failed(`its answer has more than ${maxBytes} bytes`)

/** One for each input, in their order. Unknown fields are ignored. */
const readResults = (answer: unknown, { maxTokens, list, read }: InputQuestion): Float32Array[] => {
  const entries = isRecord(answer) ? answer[list] : null
  if (!Array.isArray(entries)) throw failed('it sent no results')
  const results = new Array<Float32Array | undefined>(maxTokens.length)
  for (const entry of entries) {
    if (!isRecord(entry)) continue
    const { index } = entry
    const isPlace = Number.isSafeInteger(index) && Number(index) >= 0 && Number(index) < results.length
    if (isPlace) results[Number(index)] ??= read(entry)
  }
  const known = Array.from(results).filter((result) => result !== undefined)
  if (known.length < results.length) throw failed('results are missing in its answer')
  if (known.some(({ length }) => length !== known[0]?.length)) throw failed('its vectors have different lengths')
  return known
}
