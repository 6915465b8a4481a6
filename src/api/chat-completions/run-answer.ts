import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { LogFields } from '../../base/log.ts'
import type { Conversation, Engine, PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { Slots } from '../../schedule/slots.ts'
import type { CompletionRecords, KeyRecord } from '../../store/contract.ts'
import { type AnswerRooms, answerRequest } from './answer-request.ts'
import type { Delivery } from './delivery.ts'
import type { ChatRequest } from './request/request.ts'
import { fingerprintOf } from './shapes.ts'
import { storeCompletion } from './store-completion.ts'

/** Who asks: with a key, or without one in the playground. */
export type Asker = { organisationId: string; key: KeyRecord | null }

export type RunRooms = AnswerRooms & {
  engine: Engine
  slots: Slots
  clock: Clock
  completions: CompletionRecords
}

/** One answer on its way. It knows of no connection: that of its request may be gone while somebody still wants it. */
export type Run = {
  request: ChatRequest
  asker: Asker
  requestId: string
  completionId: string
  /** When the request came, on the clock that never goes backwards. */
  startedMs: number
  /** What is told of it in the log. */
  facts: LogFields
  /** Aborted when nobody wants the answer any more (`ClientGone`), or when it has to end (an `ApiError`). */
  signal: AbortSignal
  delivery: Delivery
}

/** Prepare, schedule, generate, answer. It promises that the slot is given back whatever happens. */
export const runAnswer = async (run: Run, rooms: RunRooms): Promise<void> => {
  const { request, asker, facts, signal, delivery } = run
  const { engine, slots, clock } = rooms
  const prompt = await engine.prepare(conversationOf(request), signal)
  refuseBeyondContext(request, engine.model, prompt)
  const queuedMs = clock.monotonicMs()
  const giveBack = await slots.take(signal)
  facts.queueMs = Math.round(clock.monotonicMs() - queuedMs)
  const head = {
    id: run.completionId,
    created: Math.floor(clock.now() / 1000),
    model: engine.model.id,
    fingerprint: fingerprintOf(engine.model),
  }
  try {
    await answerRequest({
      ...run,
      head,
      prompt,
      rooms,
      reasoning: engine.model.features.has('reasoning'),
      tryTake: slots.tryTake,
      store: (completion) =>
        storeCompletion(rooms.completions, {
          completion,
          request,
          requestId: run.requestId,
          organisationId: asker.organisationId,
          createdAt: clock.now(),
        }),
    })
  } finally {
    giveBack()
  }
  await delivery.end(async () => {})
}

const conversationOf = ({
  messages,
  calling,
  templateVariables,
  opening,
  reasoningEffort,
}: ChatRequest): Conversation => ({
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
  { sampling: { maxTokens } }: ChatRequest,
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
