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
import type { CompletionHead, Usage } from './shapes.ts'
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
  stallTimeoutMs: number
}

export const createChatCompletions =
  (rooms: ChatCompletionsRooms) =>
  async (exchange: Exchange): Promise<void> => {
    const { engine, slots, clock } = rooms
    const request = await readJson(exchange, rooms.bodyLimitBytes, chatRequest)
    if (request.model !== engine.model.id) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
    Object.assign(exchange.facts, { model: request.model, stream: request.stream })

    await withDeadline(exchange.signal, rooms.generationTimeoutMs, clock, async (signal) => {
      const prompt = await engine.prepare(request.messages, signal)
      refuseBeyondContext(request, engine.model, prompt)
      const queuedMs = clock.monotonicMs()
      const giveBack = await slots.take(signal)
      exchange.facts.queueMs = Math.round(clock.monotonicMs() - queuedMs)
      try {
        await answer(exchange, request, prompt, signal, rooms)
      } finally {
        giveBack()
      }
    })
  }

const answer = async (
  exchange: Exchange,
  request: ChatRequest,
  prompt: PreparedPrompt,
  signal: AbortSignal,
  { engine, clock, heartbeatMs, stallTimeoutMs }: ChatCompletionsRooms,
): Promise<void> => {
  const { facts } = exchange
  const head: CompletionHead = {
    id: newId('chatcmpl'),
    created: Math.floor(clock.now() / 1000),
    model: engine.model.id,
  }
  const usage: Usage = { promptTokens: prompt.promptTokens ?? 0, cachedTokens: 0, completionTokens: 0 }
  const onFirstToken = (): void => {
    facts.firstTokenMs = Math.round(clock.monotonicMs() - exchange.startedMs)
  }
  const tokens = prompt.generate(samplingOf(request), signal)
  const events = readAnswer(tokens, { stops: request.stop, usage, onFirstToken })
  try {
    const { reason } = request.stream
      ? await streamAnswer(
          openEventStream(exchange, { clock, heartbeatMs, stallTimeoutMs, signal }),
          head,
          request.includeUsage,
          events,
        )
      : await collectAnswer(exchange, head, events)
    facts.finishReason = reason
  } finally {
    // Also of an answer that was broken off.
    facts.promptTokens = usage.promptTokens
    facts.completionTokens = usage.completionTokens
  }
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
