import { ApiError } from '../../../base/api-error.ts'
import { freeBuffer } from '../../../base/free-buffer.ts'
import { WorkerPoolFailure } from '../../../base/worker-pool-failure.ts'
import type { EngineCaller, ModelInputs, PreparedInputs } from '../../contract.ts'
import type { AnsweringUpstream } from '../answering-upstream.ts'
import { failed, readRefusal } from '../read-response.ts'
import { callerHeaders } from '../upstream-tls.ts'
import { maxLengthPerTurn, writeInTurns } from '../write-in-turns.ts'
import type { InputAnswerReader } from './input-answer-reader.ts'
import { createInputCounts } from './input-counts.ts'
import { askInputs, type InputQuestion, maxVectorsBytes } from './input-questions.ts'
import type { AskEncoded } from './vector-encoding.ts'

type InputsUpstream = Pick<
  AnsweringUpstream,
  'client' | 'model' | 'dialect' | 'isNode' | 'counter' | 'redact' | 'log'
> & {
  contextTokens: number | null
  answers: Pick<InputAnswerReader, 'read'>
  askEncoded: AskEncoded
}

/** `numbers`: all vectors, one behind the other. */
type Answer = { numbers: Float32Array; claimed: number | null }

/** Inputs that an upstream counts and computes. Throws an `ApiError` if it does not accept them. */
export const prepareRemoteInputs = (
  upstream: InputsUpstream,
  inputs: ModelInputs,
  caller: EngineCaller,
): PreparedInputs => {
  const { contextTokens, counter, dialect, log } = upstream
  const { ownerId } = caller
  const parts = askInputs(inputs, dialect).map((question) => ({
    question,
    counts: createInputCounts({ question, contextTokens, counter, ownerId, log }),
  }))
  const promptTokens = parts.reduce((sum, { counts }) => sum + counts.maxTokens, 0)
  let counted = { tokens: promptTokens, isEstimated: false }
  return {
    promptTokens,
    countedTokens: () => counted.tokens,
    isEstimated: () => counted.isEstimated,
    async *embed(signal) {
      const sum = { tokens: 0, isEstimated: false }
      let [length, bytes] = [0, 0]
      for (const { question, counts } of parts) {
        const { numbers, claimed } = await askFor(upstream, question, caller, signal)
        const { count } = question.form
        bytes += numbers.byteLength
        if (bytes > maxVectorsBytes) throw tooLong(question, maxVectorsBytes)
        if (length !== 0 && length !== numbers.length / count) throw failed('its vectors have different lengths')
        length = numbers.length / count
        const part = await counts.count(claimed)
        sum.tokens += part.tokens
        sum.isEstimated ||= part.isEstimated
        if (question === parts.at(-1)?.question) counted = sum
        // Each has memory of its own, so that it can be freed once it was sent on.
        for (let index = 0; index < count; index += 1) yield numbers.slice(index * length, (index + 1) * length)
        freeBuffer(numbers)
      }
    },
  }
}

const askFor = (
  upstream: InputsUpstream,
  question: InputQuestion,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<Answer> =>
  question.form.isScores
    ? ask(upstream, question, {}, caller, signal)
    : upstream.askEncoded((fields) => ask(upstream, question, fields, caller, signal))

const ask = async (
  { client, model, isNode, answers, redact, log }: InputsUpstream,
  question: InputQuestion,
  fields: Readonly<Record<string, string>>,
  caller: EngineCaller,
  signal: AbortSignal,
): Promise<Answer> => {
  signal.throwIfAborted()
  const { trace, ownerId: tenant } = caller
  const body = await writeBody(question.body({ model, ...fields }), tenant)
  signal.throwIfAborted()
  const headers = isNode ? { headers: callerHeaders(caller) } : {}
  const call = client.post(question.path, body, { stream: false, signal, tenant, trace, ...headers })
  let isComplete = false
  try {
    const refused = await readRefusal(await call.head, call, { redact, log })
    if (refused !== null) throw refused
    const { form, maxBytes } = question
    const answer = await answers.read(call, { form, maxBytes, tenant, signal })
    if (answer === null) throw tooLong(question, maxBytes)
    isComplete = true
    if ('problem' in answer) throw failed(answer.problem)
    return answer
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof ApiError) throw error
    throw error instanceof WorkerPoolFailure ? unread(error) : ApiError.of('upstream_failed', {}, { cause: error })
  } finally {
    call.close(isComplete)
  }
}

/** A long one in turns. */
const writeBody = async (pieces: Iterable<string>, tenant: string) => {
  const body = await writeInTurns(pieces, tenant)
  const [only] = body
  return body.length === 1 && only !== undefined && only.length < maxLengthPerTurn ? Buffer.from(only).toString() : body
}

/** Vectors of many inputs are the caller's choice, not a fault of the upstream. */
const tooLong = ({ path, allInputs }: InputQuestion, limitBytes: number): ApiError =>
  path === '/embeddings' && allInputs > 1
    ? ApiError.of('embeddings_too_large', { limitBytes }, { param: 'input' })
    : failed(`its answer has more than ${limitBytes} bytes`)

const retryAfterMs = 1000

/** Too many answers wait to be read, which is no fault of the upstream. */
const unread = (failure: WorkerPoolFailure): ApiError =>
  failure.kind === 'queue_full' || failure.kind === 'tenant_queue_full'
    ? ApiError.of('queue_full', {}, { retryAfterMs, cause: failure })
    : ApiError.of('upstream_failed', {}, { cause: failure })
