import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Engine, PreparedPrompt, Sampling, ServedModel } from '../../engine/contract.ts'
import { openEventStream } from '../../http/event-stream.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import type { Slots } from '../../schedule/slots.ts'
import { readAnswer } from './answer.ts'
import { collectAnswer } from './collect.ts'
import { withDeadline } from './deadline.ts'
import { type ChatRequest, chatRequest } from './request.ts'
import type { CompletionHead, Finish } from './shapes.ts'
import { streamAnswer } from './stream.ts'

/**
 * `POST /v1/chat/completions`. The handler reads as the way of a request: validate, prepare, schedule, generate, answer.
 * It promises that the slot is given back whatever happens.
 */
export type ChatCompletionsRooms = {
  engine: Engine
  slots: Slots
  clock: Clock
  bodyLimitBytes: number
  generationTimeoutMs: number
  heartbeatMs: number
}

export const createChatCompletions =
  (rooms: ChatCompletionsRooms) =>
  async (exchange: Exchange): Promise<void> => {
    const { engine, slots, clock } = rooms
    const request = await readJson(exchange, rooms.bodyLimitBytes, chatRequest)
    if (request.model !== engine.model.id) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
    Object.assign(exchange.facts, { model: request.model, stream: request.stream })

    const prompt = await engine.prepare(request.messages, exchange.signal)
    refuseBeyondContext(request, engine.model, prompt)
    const queuedMs = clock.monotonicMs()
    const giveBack = await slots.take(exchange.signal)
    exchange.facts.queueMs = Math.round(clock.monotonicMs() - queuedMs)
    try {
      recordFinish(exchange, await answer(exchange, request, prompt, rooms))
    } finally {
      giveBack()
    }
  }

const answer = (
  exchange: Exchange,
  request: ChatRequest,
  prompt: PreparedPrompt,
  { engine, clock, generationTimeoutMs, heartbeatMs }: ChatCompletionsRooms,
): Promise<Finish> => {
  const head: CompletionHead = {
    id: newId('chatcmpl'),
    created: Math.floor(clock.now() / 1000),
    model: engine.model.id,
  }
  return withDeadline(exchange.signal, generationTimeoutMs, clock, (signal) => {
    const events = readAnswer(prompt.generate(samplingOf(request), signal), {
      stops: request.stop,
      promptTokens: prompt.promptTokens,
      onFirstToken: () => {
        exchange.facts.firstTokenMs = Math.round(clock.monotonicMs() - exchange.startedMs)
      },
    })
    if (!request.stream) return collectAnswer(exchange, head, events)
    const stream = openEventStream(exchange, { clock, heartbeatMs, signal })
    return streamAnswer(stream, head, request.includeUsage, events)
  })
}

const refuseBeyondContext = (
  { maxTokens }: ChatRequest,
  model: ServedModel,
  { promptTokens }: PreparedPrompt,
): void => {
  const { contextTokens } = model
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

const samplingOf = ({ maxTokens, temperature, topP, seed, stop }: ChatRequest): Sampling => ({
  maxTokens,
  temperature,
  topP,
  seed: seed === null ? null : foldSeed(seed),
  stops: stop,
})

/** Clients send 64 bits, engines take 32. */
const foldSeed = (seed: number): number => Number(BigInt.asUintN(32, BigInt(seed)))

const recordFinish = ({ facts }: Exchange, { reason, usage }: Finish): void => {
  facts.finishReason = reason
  facts.promptTokens = usage.promptTokens
  facts.completionTokens = usage.completionTokens
}
