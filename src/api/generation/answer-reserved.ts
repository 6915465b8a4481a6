import { ApiError } from '../../base/api-error.ts'
import type { ByteBudget } from '../../base/byte-budget.ts'
import type { Clock } from '../../base/clock.ts'
import type { PauseSwitch } from '../../base/pause-switch.ts'
import type { Engine } from '../../engine/contract.ts'
import type { Slot } from '../../schedule/request-queue.ts'
import { logRoute } from './answer/answer-route.ts'
import type { BodyCopy } from './answer/body-copy.ts'
import type { EarlyStart } from './answer/early-start.ts'
import { generateResponse, type OpenedAnswer } from './answer/generate-response.ts'
import type { ChoicesOptions, SampledRequest } from './answer/run-choices.ts'
import type { CompletionCaller } from './completion-caller.ts'
import type { CompletionProgress } from './completion-progress.ts'
import type { Deadline } from './delivery/deadline.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { FormattedAnswer } from './dialect.ts'
import { joinRoutes, type Prompts } from './prompt/prompts.ts'
import type { Allowance } from './reservation/allowance.ts'
import type { RequestAccounting } from './reservation/request-accounting.ts'

/** A slot, and how long it was waited for. */
export type EnteredSlot = { slot: Slot; queueMs: number }

/** What is needed of an execution, see `execute-request.ts`. */
type AnsweredExecution = {
  openAnswer(answer: FormattedAnswer): OpenedAnswer
  answerId: string
  requestId: string
  caller: Pick<CompletionCaller, 'organisationId' | 'ownerId'>
  signal: AbortSignal
  deadline: Pick<Deadline, 'exclude'>
  delivery: Delivery
  rewrite?: ChoicesOptions['rewrite']
  progress: CompletionProgress
}

type AnswerDependencies = { clock: Clock; answerBuffer: ByteBudget; answerLimitBytes: number }

type Answering = SampledRequest & {
  engine: Engine
  copy: BodyCopy | null
  pausing: PauseSwitch | undefined
  accounting: RequestAccounting
  allowance: Allowance
  early: EarlyStart<EnteredSlot> | null
}

/** Generates, delivers and settles a request that is in the ledger. */
export const answerReserved = async (
  { engine, ...answering }: Answering,
  enter: () => Promise<EnteredSlot>,
  execution: AnsweredExecution,
  { clock, answerBuffer, answerLimitBytes }: AnswerDependencies,
): Promise<void> => {
  const { caller, signal, deadline, delivery } = execution
  const { ownerId } = caller
  const { accounting, copy, prompts } = answering
  try {
    const { slot, queueMs } = await enter()
    deadline.exclude(() => slot.pauses().ms)
    accounting.queued(queueMs, slot)
    const response = await generateResponse({
      ...answering,
      ...{ ownerId, clock, slot, answerBuffer, answerLimitBytes, delivery, signal },
      openAnswer: openFormatted(execution, engine, prompts, clock),
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

const openFormatted =
  (
    { openAnswer, answerId: id, requestId, caller: { organisationId } }: AnsweredExecution,
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
