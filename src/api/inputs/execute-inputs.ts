import type { Clock } from '../../base/clock.ts'
import type { Engine, ModelInputs, PreparedInputs } from '../../engine/contract.ts'
import { kindOfFeatures, wrongModelKind } from '../../engine/wrong-model-kind.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { PendingRequest, TokenReservation } from '../../limits/limiter-contract.ts'
import type { ModelPool } from '../../models/contract.ts'
import type { ToBeReserved } from '../../store/ledger-contract.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ledger } from '../../usage/ledger-contract.ts'
import { ignoredFieldsRecord } from '../generation/accept/ignored-fields.ts'
import { traceAccepted } from '../generation/accept/trace-request.ts'
import { logRoute, routeHeaders } from '../generation/answer/answer-route.ts'
import { contentAttributes } from '../generation/answer/trace-content.ts'
import { type CompletionCaller, toEngineCaller } from '../generation/completion-caller.ts'
import type { CompletionProgress } from '../generation/completion-progress.ts'
import { refuseGone, setLimitHeaders, untilAttempted } from '../generation/delivery/connection.ts'
import type { RequestAccounting } from '../generation/reservation/request-accounting.ts'
import { reserveRequest } from '../generation/reservation/reserve-request.ts'
import type { InputsEndpoint, InputsRequest } from './inputs-endpoint.ts'

export type ExecuteInputsDependencies = {
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  clock: Clock
}

type Execution<Request> = {
  exchange: Exchange
  request: Request
  pool: ModelPool
  caller: CompletionCaller
  pending: PendingRequest
  progress: CompletionProgress
  /** Aborted when the client has gone (`ClientGone`), or when the request has to end (an `ApiError`). */
  signal: AbortSignal
}

export type ExecuteInputs<Request> = (execution: Execution<Request>) => Promise<void>

/**
 * Load, count, admit, reserve, schedule, compute, settle, send. Promises that whatever happens the model, the slot and the
 * reservation are released, and that a reserved request is settled once. Nothing is billed unless all results are sent.
 */
export const createExecuteInputs = <Request extends InputsRequest, Result>(
  endpoint: InputsEndpoint<Request, Result>,
  dependencies: ExecuteInputsDependencies,
): ExecuteInputs<Request> => {
  const executeOn = async (engine: Engine, execution: Execution<Request>): Promise<void> => {
    const { exchange, request, pool, caller, pending, signal } = execution
    const inputs = await prepare(engine, endpoint, execution)
    const { promptTokens } = inputs
    exchange.trace?.reached('rendered')
    const record = recordOf(execution, endpoint)
    const work = { record, ownerId: caller.ownerId, choices: 1 }
    const reservation = await pending.admit({ model: pool.model.id, promptTokens, completionTokens: 0 }, work)
    exchange.trace?.reached('admitted')
    const accounting = await reserve(execution, record, reservation, inputs, dependencies)
    try {
      const result = await compute(inputs, endpoint, execution, { accounting, reservation }, dependencies)
      signal.throwIfAborted()
      refuseGone(exchange)
      const usedTokens = inputs.countedTokens?.() ?? promptTokens
      accounting.meter.prompt(usedTokens, 0, inputs.isEstimated?.() ?? false)
      setLimitHeaders(exchange, { ...reservation.headers(usedTokens), ...routeHeaders(inputs.route) })
      // A response that was received completely is billed completely, even after a crash.
      await untilAttempted(accounting.complete(undefined), dependencies.clock)
      refuseGone(exchange)
      await endpoint.send(exchange, result, { request, model: pool.model, promptTokens: usedTokens })
    } catch (error) {
      accounting.fail(error, signal)
      setLimitHeaders(exchange, reservation.headers())
      throw error
    } finally {
      logRoute(execution.progress, inputs.route)
      keepCopy(execution, dependencies)
    }
  }
  return async (execution) => {
    const { request, pool, signal, exchange } = execution
    traceAccepted(exchange.trace, endpoint.name, pool.model.id)
    const { engine, release } = await pool.use(signal)
    const endWork = exchange.trace?.works()
    try {
      // Checked again, because the model's features may not have been known when the request arrived.
      endpoint.check?.(request, engine.model)
      await executeOn(engine, execution)
    } finally {
      release()
      endWork?.()
    }
  }
}

const prepare = <Request extends InputsRequest, Result>(
  engine: Engine,
  { kind, inputs, inputOptions }: InputsEndpoint<Request, Result>,
  { exchange, request, caller, signal }: Execution<Request>,
): Promise<PreparedInputs> => {
  const { id, features } = engine.model
  if (engine.prepareInputs === undefined) throw wrongModelKind(id, kindOfFeatures(features), kind)
  const given = inputs(request, engine.model)
  return engine.prepareInputs(given, signal, toEngineCaller(caller, exchange.trace), inputOptions?.(request))
}

const recordOf = <Request extends InputsRequest, Result>(
  { exchange: { requestId }, request, pool, caller: { organisationId, key } }: Execution<Request>,
  { name }: InputsEndpoint<Request, Result>,
): ToBeReserved => {
  const endpoint = key === null ? 'playground' : name
  const called = { requestId, organisationId, keyId: key?.id ?? null, model: pool.model.id, endpoint } as const
  return { ...called, ...ignoredFieldsRecord(request.ignoredFields), stream: false }
}

const reserve = <Request extends InputsRequest>(
  { exchange: { startedMs, trace }, progress }: Execution<Request>,
  record: ToBeReserved,
  reservation: TokenReservation,
  inputs: PreparedInputs,
  dependencies: ExecuteInputsDependencies,
): Promise<RequestAccounting> => {
  const route = () => inputs.route
  return reserveRequest({ ...record, choices: 1, startedMs, route, progress, trace }, reservation, dependencies)
}

type Reserved = { accounting: RequestAccounting; reservation: TokenReservation }

/** Waits for a slot, and has it until the result is complete. */
const compute = async <Request extends InputsRequest, Result>(
  inputs: PreparedInputs,
  endpoint: InputsEndpoint<Request, Result>,
  { exchange, request, pool, caller, signal }: Execution<Request>,
  { accounting, reservation }: Reserved,
  { clock }: ExecuteInputsDependencies,
): Promise<Result> => {
  const { promptTokens } = inputs
  // For the owner's share a result counts as a token of an answer: it costs about as much to receive, write and send.
  const completionTokens = countResults(endpoint.inputs(request, pool.model))
  const size = { promptTokens, completionTokens, choices: 1 }
  const queuedMs = clock.monotonicMs()
  const { organisationId, ownerId } = caller
  const slot = await pool.queue.enter({ organisationId, ownerId, size, held: reservation }, signal)
  accounting.queued(Math.round(clock.monotonicMs() - queuedMs), slot)
  try {
    slot.used({ promptTokens, cachedTokens: 0, completionTokens })
    return await endpoint.collect(inputs.embed(signal), request, pool.model, { ownerId, exchange })
  } finally {
    slot.release()
  }
}

const countResults = (inputs: ModelInputs): number => ('documents' in inputs ? inputs.documents : inputs).length

/** Results are not kept: they can be computed again from the request. */
const keepCopy = (
  { exchange, request, caller }: Execution<InputsRequest>,
  { bodies, clock }: Pick<ExecuteInputsDependencies, 'bodies' | 'clock'>,
): void => {
  const { organisationId } = caller
  const { bodyCopy } = request
  if (bodyCopy === null) return
  exchange.trace?.contains(() => contentAttributes(bodyCopy.text, null))
  if (!bodies.isKept(organisationId)) return
  bodies.add({
    requestId: exchange.requestId,
    organisationId,
    request: bodyCopy,
    answer: null,
    createdAt: clock.now(),
  })
}
