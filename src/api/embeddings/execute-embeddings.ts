import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Engine, PreparedInputs } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { PendingRequest, TokenReservation } from '../../limits/limiter-contract.ts'
import type { ModelPool } from '../../models/contract.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ledger } from '../../usage/ledger-contract.ts'
import { ignoredFieldsRecord } from '../generation/accept/ignored-fields.ts'
import { logRoute, routeHeaders } from '../generation/answer/answer-route.ts'
import { type CompletionCaller, toEngineCaller } from '../generation/completion-caller.ts'
import type { CompletionProgress } from '../generation/completion-progress.ts'
import { refuseGone, setLimitHeaders, untilAttempted } from '../generation/delivery/connection.ts'
import type { RequestAccounting } from '../generation/reservation/request-accounting.ts'
import { reserveRequest } from '../generation/reservation/reserve-request.ts'
import { embeddingJson, embeddingListEnds } from './embeddings-json.ts'
import { refuseImpossible } from './refuse-impossible.ts'
import type { EmbeddingRequest } from './request/read-embedding-request.ts'
import { sendPieces } from './send-pieces.ts'
import { shortenVector } from './shorten-vector.ts'

export type ExecuteEmbeddingsDependencies = {
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  clock: Clock
  answerLimitBytes: number
}

type Execution = {
  exchange: Exchange
  request: EmbeddingRequest
  pool: ModelPool
  caller: CompletionCaller
  pending: PendingRequest
  progress: CompletionProgress
  /** Aborted when the client has gone (`ClientGone`), or when the request has to end (an `ApiError`). */
  signal: AbortSignal
}

export type ExecuteEmbeddings = (execution: Execution) => Promise<void>

/**
 * Load, count, admit, reserve, schedule, embed, settle, send. Promises that whatever happens the model, the slot and the
 * reservation are released, and that a reserved request is settled once. Nothing is billed unless all vectors are sent.
 */
export const createExecuteEmbeddings =
  (dependencies: ExecuteEmbeddingsDependencies): ExecuteEmbeddings =>
  async (execution) => {
    const { request, pool, signal } = execution
    const { engine, release } = await pool.use(signal)
    try {
      // Checked again, because the model's features may not have been known when the request arrived.
      refuseImpossible(request, engine.model, dependencies.answerLimitBytes)
      await executeOn(engine, execution, dependencies)
    } finally {
      release()
    }
  }

const executeOn = async (
  engine: Engine,
  execution: Execution,
  dependencies: ExecuteEmbeddingsDependencies,
): Promise<void> => {
  const { exchange, pool, pending, signal } = execution
  const inputs = await prepare(engine, execution)
  const { promptTokens } = inputs
  const reservation = await pending.admit({ model: pool.model.id, promptTokens, completionTokens: 0 })
  const accounting = await reserve(execution, reservation, inputs, dependencies)
  try {
    const pieces = await embed(inputs, execution, accounting, dependencies)
    signal.throwIfAborted()
    refuseGone(exchange)
    const usedTokens = inputs.countedTokens?.() ?? promptTokens
    accounting.meter.prompt(usedTokens, 0)
    setLimitHeaders(exchange, { ...reservation.headers(usedTokens), ...routeHeaders(inputs.route) })
    // A response that was received completely is billed completely, even after a crash.
    await untilAttempted(accounting.complete(undefined), dependencies.clock)
    refuseGone(exchange)
    const [start, end] = embeddingListEnds(pool.model.id, usedTokens)
    await sendPieces(exchange, [start, ...pieces, end])
  } catch (error) {
    accounting.fail(error, signal)
    setLimitHeaders(exchange, reservation.headers())
    throw error
  } finally {
    logRoute(execution.progress, inputs.route)
    keepCopy(execution, dependencies)
  }
}

const prepare = (engine: Engine, { request, caller, signal }: Execution): Promise<PreparedInputs> => {
  if (engine.prepareInputs === undefined)
    throw ApiError.of('model_not_for_embeddings', { model: engine.model.id }, { param: 'model' })
  return engine.prepareInputs(request.inputs, signal, toEngineCaller(caller))
}

const reserve = (
  { exchange, request, pool, caller, progress }: Execution,
  reservation: TokenReservation,
  inputs: PreparedInputs,
  dependencies: ExecuteEmbeddingsDependencies,
): Promise<RequestAccounting> => {
  const { requestId, startedMs } = exchange
  const { organisationId, key } = caller
  const endpoint = key === null ? 'playground' : 'embeddings'
  const called = { requestId, organisationId, keyId: key?.id ?? null, model: pool.model.id, endpoint } as const
  const reserved = {
    ...called,
    ...ignoredFieldsRecord(request.ignoredFields),
    stream: false,
    choices: 1,
    startedMs,
    route: () => inputs.route,
    progress,
  }
  return reserveRequest(reserved, reservation, dependencies)
}

/** How many numbers are written as text before other requests have their turn. */
const numbersPerTurn = 16_384

/** The entries of the response, separated by commas. */
const embed = async (
  inputs: PreparedInputs,
  { request, pool, caller, signal }: Execution,
  accounting: RequestAccounting,
  { clock }: ExecuteEmbeddingsDependencies,
): Promise<string[]> => {
  const { promptTokens } = inputs
  const size = { promptTokens, completionTokens: 0, choices: 1 }
  const queuedMs = clock.monotonicMs()
  const { organisationId, ownerId } = caller
  const slot = await pool.queue.enter({ organisationId, ownerId, size }, signal)
  accounting.queued(Math.round(clock.monotonicMs() - queuedMs), slot.pauses)
  const pieces: string[] = []
  let numbers = 0
  try {
    slot.used({ promptTokens, cachedTokens: 0, completionTokens: 0 })
    for await (const whole of inputs.embed(signal)) {
      const vector = shortenVector(whole, request.dimensions, pool.model)
      const entry = embeddingJson(pieces.length, vector, request.encoding)
      pieces.push(pieces.length === 0 ? entry : `,${entry}`)
      numbers += vector.length
      if (numbers < numbersPerTurn) continue
      numbers = 0
      await nextTurn()
    }
    return pieces
  } finally {
    slot.release()
  }
}

/** The vectors are not kept: they can be computed again from the request. */
const keepCopy = (
  { exchange, request, caller }: Execution,
  { bodies, clock }: Pick<ExecuteEmbeddingsDependencies, 'bodies' | 'clock'>,
): void => {
  const { organisationId } = caller
  if (request.bodyCopy === null || !bodies.isKept(organisationId)) return
  bodies.add({
    requestId: exchange.requestId,
    organisationId,
    request: request.bodyCopy,
    answer: null,
    createdAt: clock.now(),
  })
}
