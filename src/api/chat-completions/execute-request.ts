import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Constraint, Conversation, Engine, PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { CompletionProgress } from '../../http/completion-progress.ts'
import type { PendingRequest, TokenReservation } from '../../limits/limiter.ts'
import type { Slots } from '../../schedule/slots.ts'
import type { CompletionRecords } from '../../store/contract.ts'
import type { ReservationRecord } from '../../store/ledger-contract.ts'
import type { Bodies } from '../../usage/bodies.ts'
import type { Ledger } from '../../usage/ledger.ts'
import { allowanceOf } from './allowance-of.ts'
import { openBodyCopy } from './body-copy.ts'
import type { GrammarCompiler } from './compile/grammar-compiler.ts'
import type { CompletionCaller } from './completion-caller.ts'
import type { Delivery } from './delivery.ts'
import { type AnswerRooms, type GenerateOptions, generateResponse } from './generate-response.ts'
import { limitUpstream } from './limit-upstream.ts'
import { type MostTokensSettings, mostTokensOf } from './most-tokens.ts'
import { refuseUnserved } from './needed-features.ts'
import type { ReceivedRequest } from './request/read-request.ts'
import { openRequestAccounting, type RequestAccounting } from './request-accounting.ts'
import { fingerprintOf } from './shapes.ts'
import { storeCompletion } from './store-completion.ts'

export type RunRooms = AnswerRooms &
  MostTokensSettings & {
    engine: Engine
    compiler: Pick<GrammarCompiler, 'compile'>
    ledger: Pick<Ledger, 'reserve'>
    bodies: Bodies
    slots: Slots
    clock: Clock
    completions: CompletionRecords
  }

/** One answer on its way. It knows of no connection: that of its request may be gone while somebody still wants it. */
export type Execution = {
  request: ReceivedRequest
  caller: CompletionCaller
  pending: PendingRequest
  requestId: string
  completionId: string
  /** When the request came, on the clock that never goes backwards. */
  startedMs: number
  progress: CompletionProgress
  /** Aborted when nobody wants the answer any more (`ClientGone`), or when it has to end (an `ApiError`). */
  signal: AbortSignal
  delivery: Delivery
}

/**
 * Compile, prepare, admit, reserve, schedule, generate, answer, settle. It promises that whatever happens the slot and
 * the reservation are given back, and what was reserved is settled once.
 */
export const executeRequest = async (run: Execution, rooms: RunRooms): Promise<void> => {
  const { request, caller, pending, signal, delivery } = run
  const { engine, compiler, slots, clock } = rooms
  const { organisationId } = caller
  const constraint = await compiler.compile(request.grammar, { organisationId, answers: request.n, signal })
  // Once more: what the model can do may not have been known when the request came.
  refuseUnserved(request, engine.model)
  const prompt = await engine.prepare(conversationOf(request), signal)
  refuseBeyondContext(request, engine.model, prompt)
  const most = mostTokensOf(request, engine.model, prompt, rooms)
  const copy = openBodyCopy(run, rooms)
  const reservation = await pending.admit({ model: request.model, ...most })
  delivery.admitted(reservation.headers)
  const accounting = await reserve(run, rooms, reservation)
  const allowance = allowanceOf(reservation, most, prompt, run.progress)
  const limited = { ...run, request: limitUpstream(request, prompt, reservation.reservedTokens - most.promptTokens) }
  try {
    const queuedMs = clock.monotonicMs()
    const slot = await slots.take(organisationId, signal)
    accounting.queued(Math.round(clock.monotonicMs() - queuedMs))
    const answering = { ...answerOf(limited, rooms, prompt, constraint), accounting, copy, allowance, slot }
    const answered = await generateResponse(answering).finally(slot.release)
    signal.throwIfAborted()
    await delivery.end(answered.end, (replay) => {
      answered.countEnd()
      return accounting.complete(replay)
    })
  } catch (error) {
    accounting.fail(error, signal)
    throw error
  } finally {
    copy?.keep()
  }
}

const reserve = async (
  run: Execution,
  { ledger, clock }: RunRooms,
  reservation: TokenReservation,
): Promise<RequestAccounting> => {
  const { request, requestId, caller, startedMs, progress } = run
  const record: ReservationRecord = {
    requestId,
    organisationId: caller.organisationId,
    keyId: caller.key?.id ?? null,
    model: request.model,
    endpoint: caller.key === null ? 'playground' : 'chat.completions',
    stream: request.stream,
    reservedTokens: reservation.reservedTokens,
    limits: reservation.applied,
    createdAt: clock.now(),
  }
  try {
    const entry = await ledger.reserve(record)
    progress.reservedTokens = record.reservedTokens
    return openRequestAccounting({ entry, reservation, requestId, choices: request.n, startedMs, progress, clock })
  } catch (error) {
    reservation.settle(0, Promise.resolve())
    throw error
  }
}

const answerOf = (
  run: Execution,
  rooms: RunRooms,
  prompt: PreparedPrompt,
  constraint: Constraint | null,
): Omit<GenerateOptions, 'accounting' | 'copy' | 'allowance' | 'slot'> => {
  const { engine, slots, clock, completions } = rooms
  const { request, requestId, caller, completionId, signal, delivery } = run
  return {
    delivery,
    request,
    head: {
      id: completionId,
      created: Math.floor(clock.now() / 1000),
      model: engine.model.id,
      fingerprint: fingerprintOf(engine.model),
    },
    prompt,
    constraint,
    signal,
    rooms,
    mayCall: engine.model.features?.has('tools') ?? false,
    reasoning: engine.model.features?.has('reasoning') ?? false,
    organisationId: caller.organisationId,
    tryTake: () => slots.tryTake(caller.organisationId),
    store: (completion) =>
      storeCompletion(completions, {
        completion,
        request,
        requestId,
        organisationId: caller.organisationId,
        createdAt: clock.now(),
      }),
  }
}

const conversationOf = ({
  messages,
  calling,
  templateVariables,
  opening,
  reasoningEffort,
}: ReceivedRequest): Conversation => ({
  messages,
  tools: calling?.shown ?? [],
  templateVariables: {
    ...(typeof reasoningEffort === 'string' ? { reasoning_effort: reasoningEffort } : {}),
    ...(reasoningEffort === 'none' ? { enable_thinking: false } : {}),
    ...templateVariables,
  },
  opening,
})

const refuseBeyondContext = (
  { sampling: { maxTokens } }: ReceivedRequest,
  { contextTokens }: ServedModel,
  { promptTokens }: PreparedPrompt,
): void => {
  if (contextTokens === null || promptTokens === null) return
  const room = contextTokens - promptTokens
  if (room < 1) throw ApiError.of('context_length_exceeded', { contextTokens, promptTokens }, { param: 'messages' })
  if (maxTokens === null || maxTokens <= room) return
  throw ApiError.of(
    'context_length_requested',
    { contextTokens, totalTokens: promptTokens + maxTokens, promptTokens, completionTokens: maxTokens },
    { param: 'messages' },
  )
}
