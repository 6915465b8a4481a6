import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import type { Replays } from '../../replay/replays.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { CompletionCaller } from '../generation/completion-caller.ts'
import { withDeadline } from '../generation/deadline.ts'
import { openDirectDelivery } from '../generation/direct-delivery.ts'
import type { ExecuteRequest, Execution } from '../generation/execute-request.ts'
import { handleIdempotentRequest } from '../generation/handle-idempotent-request.ts'
import { idempotencyKeyOf } from '../generation/idempotency-key-of.ts'
import { refuseForbidden } from '../generation/refuse-forbidden.ts'
import { refuseUnsupported } from '../generation/refuse-unsupported.ts'
import { requireModelKind } from '../generation/require-model-kind.ts'
import { withPrecheck } from '../generation/with-precheck.ts'
import type { ReceivedRequest } from './request/read-request.ts'
import type { RequestReader } from './request/request-reader.ts'

/**
 * `POST /v1/chat/completions`: validates a request, then has it executed and delivered to its connection. The steps that
 * follow are those of `execute-request.ts`.
 */
export type ChatCompletionsDependencies = {
  models: Pick<Models, 'find' | 'list'>
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
      const asked = await readRequestOf(exchange, caller, dependencies)
      const pool = dependencies.models.find(asked.model)
      if (pool === null) throw ApiError.of('model_not_found', { model: asked.model.slice(0, 100) })
      // From here on an alias is the model that it stands for.
      const request = { ...asked, model: pool.model.id }
      Object.assign(progress, { model: request.model, stream: request.stream })
      refuseForbidden(caller.key, asked, pool)
      requireModelKind(pool, 'chat')
      refuseUnsupported(request, pool.model)
      const received = { request, pool, caller, pending, progress }
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
  received: Pick<Execution, 'request' | 'pool' | 'caller' | 'pending' | 'progress'>,
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
