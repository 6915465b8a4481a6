import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Conversation, Engine, PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import type { Caller } from '../../http/route.ts'
import type { Slots } from '../../schedule/slots.ts'
import type { CompletionRecords } from '../../store/contract.ts'
import { type AnswerRooms, answerRequest } from './answer-request.ts'
import { withDeadline } from './deadline.ts'
import { refuseUnserved } from './needed-features.ts'
import { type ChatRequest, chatRequest } from './request/request.ts'
import { fingerprintOf } from './shapes.ts'
import { storeCompletion } from './store-completion.ts'

/**
 * `POST /v1/chat/completions`. The handler reads as the way of a request: validate, prepare, schedule, generate, answer.
 * It promises that the slot is given back whatever happens.
 */
export type ChatCompletionsRooms = AnswerRooms & {
  engine: Engine
  slots: Slots
  clock: Clock
  completions: CompletionRecords
  bodyLimitBytes: number
  generationTimeoutMs: number
}

export const createChatCompletions =
  (rooms: ChatCompletionsRooms) =>
  async (exchange: Exchange, caller: Pick<Caller, 'organisationId'>): Promise<void> => {
    const { engine, slots, clock } = rooms
    const request = await readJson(exchange, rooms.bodyLimitBytes, chatRequest)
    if (request.model !== engine.model.id) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
    refuseUnserved(request, engine.model)
    Object.assign(exchange.facts, { model: request.model, stream: request.stream })

    await withDeadline(exchange.signal, rooms.generationTimeoutMs, clock, async (signal) => {
      const prompt = await engine.prepare(conversationOf(request), signal)
      refuseBeyondContext(request, engine.model, prompt)
      const queuedMs = clock.monotonicMs()
      const giveBack = await slots.take(signal)
      exchange.facts.queueMs = Math.round(clock.monotonicMs() - queuedMs)
      const head = {
        id: newId('chatcmpl'),
        created: Math.floor(clock.now() / 1000),
        model: engine.model.id,
        fingerprint: fingerprintOf(engine.model),
      }
      try {
        await answerRequest({
          exchange,
          request,
          head,
          prompt,
          signal,
          rooms,
          reasoning: engine.model.features.has('reasoning'),
          tryTake: slots.tryTake,
          store: (completion) =>
            storeCompletion(rooms.completions, {
              completion,
              request,
              requestId: exchange.requestId,
              organisationId: caller.organisationId,
              createdAt: clock.now(),
            }),
        })
      } finally {
        giveBack()
      }
    })
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
