import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Engine } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Replays } from '../../replay/replays.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { CompletionCaller } from './completion-caller.ts'
import { withDeadline } from './deadline.ts'
import { openDirectDelivery } from './direct-delivery.ts'
import type { ExecuteRequest, Execution } from './execute-request.ts'
import { handleIdempotentRequest } from './handle-idempotent-request.ts'
import { idempotencyKeyOf } from './idempotency-key-of.ts'
import { refuseForbidden } from './refuse-forbidden.ts'
import { refuseUnsupported } from './refuse-unsupported.ts'
import type { ReceivedRequest } from './request/read-request.ts'
import type { RequestReader } from './request/request-reader.ts'
import { withPrecheck } from './with-precheck.ts'

/**
 * `POST /v1/chat/completions`: validates a request, then has it executed and delivered to its connection. The steps that
 * follow are those of `execute-request.ts`.
 */
export type ChatCompletionsDependencies = {
  engine: Pick<Engine, 'model'>
  limiter: Pick<Limiter, 'precheck'>
  requestReader: Pick<RequestReader, 'read'>
  bodies: Pick<BodyWriter, 'isKept'>
  replays: Pick<Replays, 'open' | 'isKnown'>
  execute: ExecuteRequest
  clock: Clock
  bodyLimitBytes: number
  generationTimeoutMs: number
  heartbeatMs: number
  stallTimeoutMs: number
}

export type ChatCompletions = (exchange: Exchange, caller: CompletionCaller) => Promise<void>

export const createChatCompletions =
  (dependencies: ChatCompletionsDependencies): ChatCompletions =>
  (exchange, caller) =>
    withPrecheck(exchange, caller, dependencies, async (pending, progress) => {
      const request = await readRequestOf(exchange, caller, dependencies)
      const { model } = dependencies.engine
      if (request.model !== model.id) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
      Object.assign(progress, { model: request.model, stream: request.stream })
      refuseForbidden(caller.key, request)
      refuseUnsupported(request, model)
      const received = { request, caller, pending, progress }
      const idempotencyKey = idempotencyKeyOf(exchange, caller)
      if (idempotencyKey === null) await answerDirectly(exchange, received, dependencies)
      else await handleIdempotentRequest(exchange, { ...received, idempotencyKey }, dependencies)
    })

const readRequestOf = async (
  exchange: Exchange,
  { organisationId, key }: CompletionCaller,
  { bodies, bodyLimitBytes, requestReader }: ChatCompletionsDependencies,
): Promise<ReceivedRequest> => {
  const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
  const hash = key !== null && exchange.request.headers['idempotency-key'] !== undefined
  const needs = { hash, copy: bodies.isKept(organisationId) }
  return requestReader.read(blocks, { organisationId, needs, signal: exchange.signal })
}

/** To the connection of the request: once it is closed, the answer is not wanted any more. */
const answerDirectly = async (
  exchange: Exchange,
  received: Pick<Execution, 'request' | 'caller' | 'pending' | 'progress'>,
  { execute, clock, generationTimeoutMs, heartbeatMs, stallTimeoutMs }: ChatCompletionsDependencies,
): Promise<void> => {
  const { requestId, startedMs } = exchange
  await withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal) => {
    const delivery = openDirectDelivery(exchange, {
      clock,
      heartbeatMs,
      stallTimeoutMs,
      signal,
      isStream: received.request.stream,
      earlyHeaders: received.pending.headers,
    })
    try {
      await execute({ ...received, requestId, completionId: newId('chatcmpl'), startedMs, signal, delivery })
    } catch (error) {
      delivery.setHeaders()
      throw error
    }
  })
}
