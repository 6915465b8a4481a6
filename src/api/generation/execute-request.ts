import { ApiError } from '../../base/api-error.ts'
import type { ByteBudget } from '../../base/byte-budget.ts'
import type { Clock } from '../../base/clock.ts'
import type { DiskLease, DiskSpace } from '../../base/disk-space.ts'
import { createPauseSwitch } from '../../base/pause-switch.ts'
import type { Constraint, Engine, ServedModel } from '../../engine/contract.ts'
import type { PendingRequest, TokenReservation } from '../../limits/limiter-contract.ts'
import type { ModelPool } from '../../models/contract.ts'
import type { ToBeReserved } from '../../store/ledger-contract.ts'
import type { RequestTrace } from '../../traces/request-trace.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ledger } from '../../usage/ledger-contract.ts'
import { ignoredFieldsRecord } from './accept/ignored-fields.ts'
import { refuseTooLong } from './accept/refuse-too-long.ts'
import { routeHeaders } from './answer/answer-route.ts'
import { createBodyCopy } from './answer/body-copy.ts'
import { type EarlyStart, startEarly } from './answer/early-start.ts'
import type { OpenedAnswer } from './answer/generate-response.ts'
import { choiceSampling, type SampledRequest } from './answer/run-choices.ts'
import { answerReserved, type EnteredSlot } from './answer-reserved.ts'
import type { CacheWish } from './cache/cache-policy.ts'
import type { GrammarCompiler } from './compile/grammar-compiler.ts'
import type { CompletionCaller } from './completion-caller.ts'
import type { CompletionProgress } from './completion-progress.ts'
import type { Deadline } from './delivery/deadline.ts'
import type { Delivery } from './delivery/delivery.ts'
import { storedAnswerBytes } from './delivery/max-recording-bytes.ts'
import type { Dialect, FormattedAnswer } from './dialect.ts'
import type { NumberedEvent } from './output/choice.ts'
import { prepareRequest } from './prompt/prepare-request.ts'
import { joinRoutes, type Prompts } from './prompt/prompts.ts'
import type { GenerationRequest } from './request/generation-request.ts'
import type { MediaLimits } from './request/media/check-media.ts'
import { computeAllowance } from './reservation/allowance.ts'
import type { AnswerObserver, RequestAccounting } from './reservation/request-accounting.ts'
import { reserveRequest } from './reservation/reserve-request.ts'
import { limitUpstream } from './reservation/token-limit.ts'
import { type WatchedLedger, watchReservations } from './reservation/watch-reservations.ts'

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
  dialect: Pick<Dialect, 'endpoint' | 'lowersTokenLimit' | 'writesPieces'>
  openAnswer(answer: FormattedAnswer): OpenedAnswer
  answerId: string
  progress: CompletionProgress
  /** What hooks do with the answer before it is counted as sent, if there are any. */
  rewrite?: RewriteAnswer | undefined
  /** The texts of the prompt, if hooks changed any. */
  replaced?: readonly string[] | null
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
export const createExecuteRequest = (options: ExecuteRequestDependencies): ExecuteRequest => {
  const dependencies = { ...options, ledger: watchReservations(options.ledger) }
  return async (execution) => {
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

type RunningDependencies = ExecuteRequestDependencies & { ledger: WatchedLedger }

const executeOn = async (
  engine: Engine,
  execution: Execution,
  constraint: Constraint | null,
  dependencies: RunningDependencies,
): Promise<void> => {
  const { pool, requestId, caller, pending, signal, delivery, trace } = execution
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
  const limited = limitUpstream(request, counted, reservation.reservedTokens - max.promptTokens)
  const sampled: SampledRequest = {
    ...{ request: limited, features: engine.model.features, prompts, constraint },
    takesPieces: takesPieces(execution),
  }
  const pausing = engine.canPause ? createPauseSwitch() : undefined
  const enter = async (until: AbortSignal): Promise<EnteredSlot> => {
    const queuedMs = clock.monotonicMs()
    const size = { ...max, choices: request.n }
    const slot = await pool.queue.enter({ organisationId, ownerId, size, pausing, held: reservation }, until)
    return { slot, queueMs: Math.round(clock.monotonicMs() - queuedMs) }
  }
  const early = mayStartEarly(engine, execution, dependencies) ? openEarly(sampled, enter, signal) : null
  try {
    const accounting = await reserve(execution, record, reservation, prompts, dependencies)
    const allowance = computeAllowance(reservation, max, counted, execution.progress)
    const answering = { ...sampled, engine, copy, pausing, accounting, allowance, early }
    await answerReserved(answering, () => early?.slot ?? enter(signal), execution, dependencies)
  } finally {
    early?.close()
  }
}

/** Of a stream in which nothing is looked for, whose events depend on nothing but their text. */
const takesPieces = ({ request, dialect, rewrite }: Execution): boolean => {
  const { stream, store, n, calling, returnTokenIds, sampling } = request
  if (dialect.writesPieces !== true || !stream || store || n > 1 || rewrite !== undefined) return false
  return calling === null && !returnTokenIds && sampling.stops.length === 0 && sampling.topLogprobs === null
}

/**
 * With an upstream, whose prompt costs nobody anything until its answer is counted here. Not with an idempotency key: whether its
 * request was executed has to be known before it is. Not while reservations fail, because nobody would pay for the answer. And
 * not while others are being written: under load, slots would be held for the time of a commit, in which others could use them.
 */
const mayStartEarly = (
  { model, canPause }: Engine,
  { request, isClaimed }: Execution,
  { ledger }: RunningDependencies,
): boolean => model.parsesAnswers === true && !canPause && request.n === 1 && !isClaimed && ledger.isIdle()

const openEarly = (
  sampled: SampledRequest,
  enter: (until: AbortSignal) => Promise<EnteredSlot>,
  signal: AbortSignal,
): EarlyStart<EnteredSlot> =>
  startEarly({
    enter,
    leave: ({ slot }) => slot.release(),
    generate: (until) => sampled.prompts[0].generate(choiceSampling(sampled, 0), until),
    signal,
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
