import { ApiError } from '../../base/api-error.ts'
import type { ByteBudget } from '../../base/byte-budget.ts'
import type { Clock } from '../../base/clock.ts'
import type { DiskLease, DiskSpace } from '../../base/disk-space.ts'
import { createPauseSwitch } from '../../base/pause-switch.ts'
import type { Constraint, Engine, PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { PendingRequest, TokenReservation } from '../../limits/limiter-contract.ts'
import type { ModelPool } from '../../models/contract.ts'
import type { ToBeReserved } from '../../store/ledger-contract.ts'
import type { RequestTrace } from '../../traces/request-trace.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ledger } from '../../usage/ledger-contract.ts'
import { ignoredFieldsRecord } from './accept/ignored-fields.ts'
import { refuseTooLong } from './accept/refuse-too-long.ts'
import { refuseUnsupported } from './accept/refuse-unsupported.ts'
import { logRoute, routeHeaders } from './answer/answer-route.ts'
import { createBodyCopy } from './answer/body-copy.ts'
import { generateResponse, type OpenedAnswer } from './answer/generate-response.ts'
import { leastAnswerBytes, scoredBytes } from './answer/least-answer-bytes.ts'
import type { CacheWish } from './cache/cache-policy.ts'
import type { GrammarCompiler } from './compile/grammar-compiler.ts'
import { type CompletionCaller, toEngineCaller } from './completion-caller.ts'
import type { CompletionProgress } from './completion-progress.ts'
import type { Deadline } from './delivery/deadline.ts'
import type { Delivery } from './delivery/delivery.ts'
import { storedAnswerBytes } from './delivery/max-recording-bytes.ts'
import type { Dialect, FormattedAnswer } from './dialect.ts'
import type { NumberedEvent } from './output/choice.ts'
import { preparePrompts } from './prompt/prepare-prompts.ts'
import {
  joinRoutes,
  longestPromptTokens,
  type Prompts,
  promptSize,
  sumCountedTokens,
  sumPromptTokens,
} from './prompt/prompts.ts'
import { type GenerationRequest, mediaMessagesIn } from './request/generation-request.ts'
import { checkMedia, type MediaLimits } from './request/media/check-media.ts'
import { computeAllowance } from './reservation/allowance.ts'
import { estimateTokens } from './reservation/estimate-tokens.ts'
import type { AnswerObserver, RequestAccounting } from './reservation/request-accounting.ts'
import { reserveRequest } from './reservation/reserve-request.ts'
import { limitUpstream, lowerTokenLimit } from './reservation/token-limit.ts'

export type ExecuteRequestDependencies = {
  compiler: Pick<GrammarCompiler, 'compile'>
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  clock: Clock
  /** The disk that stored answers are written to. */
  disk: DiskSpace
  answerBuffer: ByteBudget
  answerLimitBytes: number
  answerReservationTokens: number
} & MediaLimits

/** The same answer, of which something may be replaced. */
export type RewriteAnswer = (events: AsyncIterable<NumberedEvent>, signal: AbortSignal) => AsyncIterable<NumberedEvent>

/** A valid request for a model that can answer it. */
export type AcceptedRequest = {
  trace: RequestTrace | null
  /** With the id of the model, even if an alias was requested. */
  request: GenerationRequest
  pool: ModelPool
  caller: CompletionCaller
  pending: PendingRequest
  dialect: Pick<Dialect, 'endpoint' | 'lowersTokenLimit'>
  openAnswer(answer: FormattedAnswer): OpenedAnswer
  answerId: string
  progress: CompletionProgress
  /** What hooks do with the answer before it is counted as sent, if there are any. */
  rewrite?: RewriteAnswer | undefined
  /** Null if the request does not say whether it may be answered from the cache, or there is none. */
  cacheWish: CacheWish
}

/** One request being executed. It does not depend on a connection, which may be closed while the answer is still wanted. */
export type Execution = AcceptedRequest & {
  requestId: string
  /** When the request arrived, on the monotonic clock. */
  startedMs: number
  /** Aborted when the answer is no longer wanted (`ClientGone`), or when it has to end (an `ApiError`). */
  signal: AbortSignal
  deadline: Pick<Deadline, 'exclude'>
  delivery: Delivery
  /** It is executed for an idempotency key. */
  isClaimed: boolean
  /** Is told how the answer ends. */
  observer?: AnswerObserver
}

export type ExecuteRequest = (execution: Execution) => Promise<void>

const storageRetryMs = 60_000

/**
 * Compile, load, prepare, admit, reserve, schedule, generate, deliver, settle. Promises that whatever happens the model,
 * the slot and the reservation are released, and that a reserved request is settled once.
 */
export const createExecuteRequest =
  (dependencies: ExecuteRequestDependencies): ExecuteRequest =>
  async (execution) => {
    const { request, pool, caller, signal, trace } = execution
    const endWork = trace?.works()
    const { organisationId, ownerId } = caller
    const answers = { organisationId, ownerId, answers: request.n, signal }
    let storage: DiskLease | null = null
    // An engine that constrains its answers itself decides which schemas it accepts.
    const grammar = pool.model.parsesAnswers ? null : request.grammar
    try {
      // Before its schemas are compiled, which takes as long as rendering them.
      refuseTooLong(request, pool.model)
      storage = await reserveStorage(request, pool.model, dependencies)
      if (grammar !== null) refuseAllowedIds(request)
      const constraint = await dependencies.compiler.compile(grammar, answers)
      const { engine, release } = await pool.use(signal)
      try {
        await executeOn(engine, execution, constraint, dependencies)
      } finally {
        release()
      }
    } finally {
      storage?.close()
      endWork?.()
    }
  }

/**
 * Reserves the maximum size of a stored answer, so that no answer is generated and billed that cannot be stored in the
 * end.
 */
const reserveStorage = async (
  request: GenerationRequest,
  model: ServedModel,
  { disk, answerLimitBytes }: Pick<ExecuteRequestDependencies, 'disk' | 'answerLimitBytes'>,
): Promise<DiskLease | null> => {
  if (!request.store) return null
  const lease = await disk.reserve(storedAnswerBytes(request, model, answerLimitBytes))
  if (lease === null) throw ApiError.of('storage_full', {}, { retryAfterMs: storageRetryMs })
  return lease
}

const executeOn = async (
  engine: Engine,
  execution: Execution,
  constraint: Constraint | null,
  dependencies: ExecuteRequestDependencies,
): Promise<void> => {
  const { pool, requestId, caller, pending, signal, deadline, delivery, trace } = execution
  const { bodies, clock } = dependencies
  const { organisationId, ownerId } = caller
  const { request, prompts, counted, max } = await prepareRequest(engine, execution, dependencies)
  trace?.reached('rendered')
  const copy = createBodyCopy({ request, requestId, organisationId, bodies, clock, trace })
  const record = recordOf(execution)
  const work = { record, ownerId, choices: request.n }
  const reservation = await pending.admit({ model: request.model, ...max }, work)
  trace?.reached('admitted')
  delivery.admitted((usedTokens) => ({ ...reservation.headers(usedTokens), ...routeHeaders(joinRoutes(prompts)) }))
  const accounting = await reserve(execution, record, reservation, prompts, dependencies)
  const allowance = computeAllowance(reservation, max, counted, execution.progress)
  const limited = limitUpstream(request, counted, reservation.reservedTokens - max.promptTokens)
  try {
    const queuedMs = clock.monotonicMs()
    const size = { ...max, choices: request.n }
    const pausing = engine.canPause ? createPauseSwitch() : undefined
    const slot = await pool.queue.enter({ organisationId, ownerId, size, pausing, held: reservation }, signal)
    deadline.exclude(() => slot.pauses().ms)
    accounting.queued(Math.round(clock.monotonicMs() - queuedMs), slot)
    const response = await generateResponse({
      request: limited,
      ownerId,
      clock,
      features: engine.model.features,
      prompts,
      constraint,
      allowance,
      slot,
      pausing,
      answerBuffer: dependencies.answerBuffer,
      answerLimitBytes: dependencies.answerLimitBytes,
      accounting,
      copy,
      openAnswer: openFormatted(execution, engine, prompts, clock),
      delivery,
      signal,
      rewrite: execution.rewrite,
    }).finally(slot.release)
    signal.throwIfAborted()
    await delivery.end(response.end, (replay) => {
      response.countEnd()
      return accounting.complete(replay)
    })
  } catch (error) {
    // It cannot be replayed: the client has to ask again, and nothing of it is billed.
    if (error instanceof ApiError && error.errorName === 'replay_buffer_full') accounting.meter.waive()
    accounting.fail(error, signal)
    throw error
  } finally {
    logRoute(execution.progress, joinRoutes(prompts))
    copy?.keep()
  }
}

/** Renders and counts its prompts, refuses what the engine cannot answer, and estimates the most that it may use. */
const prepareRequest = async (
  engine: Engine,
  { request: received, dialect, caller, signal, trace }: Execution,
  dependencies: ExecuteRequestDependencies,
) => {
  const { model } = engine
  // Checked again, because the model's features may not have been known when the request arrived.
  refuseUnsupported(received, model)
  checkMedia(mediaMessagesIn(received.prompt), model, dependencies)
  const prompts = await preparePrompts(received, engine, toEngineCaller(caller, trace), signal)
  const countedTokens = sumCountedTokens(prompts)
  const known = countedTokens === undefined ? {} : { countedTokens }
  const longest = { promptTokens: longestPromptTokens(prompts), ...known }
  const request = dialect.lowersTokenLimit
    ? lowerTokenLimit(received, model, promptSize(received, model, longest))
    : received
  refuseBeyondContext(request, model, longest)
  refuseTooLarge(request, prompts, dependencies)
  const counted = { promptTokens: sumPromptTokens(prompts), ...known }
  const max = estimateTokens(request, model, promptSize(received, model, counted), dependencies)
  return { request, prompts, counted, max }
}

const openFormatted =
  (
    { openAnswer, answerId: id, requestId, caller: { organisationId } }: Execution,
    { model }: Engine,
    prompts: Prompts,
    clock: Clock,
  ) =>
  (usage: FormattedAnswer['usage']): OpenedAnswer =>
    openAnswer({
      id,
      requestId,
      organisationId,
      createdAt: clock.now(),
      model,
      prompt: prompts[0],
      prompts,
      usage,
      now: () => clock.now(),
    })

const recordOf = ({ request, dialect, requestId, caller, isClaimed }: Execution): ToBeReserved => {
  const { organisationId, key } = caller
  const { model, stream, ignoredFields } = request
  const endpoint = key === null ? 'playground' : dialect.endpoint
  return {
    ...{ requestId, organisationId, keyId: key?.id ?? null, model, endpoint, stream, isClaimed },
    ...ignoredFieldsRecord(ignoredFields),
  }
}

const reserve = (
  { request, startedMs, progress, observer, trace }: Execution,
  record: ToBeReserved,
  reservation: TokenReservation,
  prompts: Prompts,
  dependencies: Pick<ExecuteRequestDependencies, 'ledger' | 'clock'>,
): Promise<RequestAccounting> => {
  const route = () => joinRoutes(prompts)
  return reserveRequest(
    { ...record, choices: request.n, startedMs, route, progress, observer, trace },
    reservation,
    dependencies,
  )
}

/** The few tokens that are allowed may be none that the format or a tool call needs next. */
const refuseAllowedIds = ({ sampling, fields }: GenerationRequest): void => {
  if (sampling.allowedIds === null) return
  const path = fields.allowedIds ?? fields.prompt
  throw ApiError.of('refused_value', { path, reason: 'it cannot be combined with a format or tools' }, { param: path })
}

/** An answer that cannot be kept in memory as a whole, however it ends, is refused before anything is computed for it. */
const refuseTooLarge = (
  request: GenerationRequest,
  prompts: Prompts,
  { answerLimitBytes, answerBuffer }: Pick<ExecuteRequestDependencies, 'answerLimitBytes' | 'answerBuffer'>,
): void => {
  if (request.stream) return
  const refuse = (limitBytes: number): ApiError => ApiError.of('answer_too_large', { limitBytes })
  if (leastAnswerBytes(request, prompts) > answerLimitBytes) throw refuse(answerLimitBytes)
  if (scoredBytes(request, prompts) > answerBuffer.maxBytes) throw refuse(answerBuffer.maxBytes)
}

const refuseBeyondContext = (
  { sampling: { maxTokens }, fields }: GenerationRequest,
  { contextTokens }: ServedModel,
  { promptTokens }: Pick<PreparedPrompt, 'promptTokens'>,
): void => {
  if (contextTokens === null || promptTokens === null) return
  const param = fields.prompt
  const leftTokens = contextTokens - promptTokens
  if (leftTokens < 1) throw ApiError.of('context_length_exceeded', { contextTokens, promptTokens }, { param })
  if (maxTokens === null || maxTokens <= leftTokens) return
  throw ApiError.of(
    'context_length_requested',
    { contextTokens, totalTokens: promptTokens + maxTokens, promptTokens, completionTokens: maxTokens },
    { param },
  )
}
