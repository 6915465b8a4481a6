import { ApiError } from '../../base/api-error.ts'
import { newId } from '../../base/ids.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import type { CompletionCaller } from './completion-caller.ts'
import { withDeadline } from './deadline.ts'
import { openDirectDelivery } from './direct-delivery.ts'
import { type Execution, executeRequest } from './execute-request.ts'
import { handleIdempotentRequest, type RecordedRooms } from './handle-idempotent-request.ts'
import { idempotencyKeyOf } from './idempotency-key-of.ts'
import { refuseUnserved } from './needed-features.ts'
import { refuseForbidden } from './refuse-forbidden.ts'
import type { ReceivedRequest } from './request/read-request.ts'
import type { RequestReader } from './request/request-reader.ts'
import { type PrecheckDependencies, withPrecheck } from './with-precheck.ts'

/**
 * `POST /v1/chat/completions`: validates, then lets the answer run to whoever asked for it. What follows reads in
 * `execute-request.ts` as the way of a request.
 */
export type ChatCompletionsRooms = RecordedRooms &
  PrecheckDependencies & {
    bodyLimitBytes: number
    requestReader: Pick<RequestReader, 'read'>
  }

export const createChatCompletions =
  (rooms: ChatCompletionsRooms) =>
  (exchange: Exchange, caller: CompletionCaller): Promise<void> =>
    withPrecheck(exchange, caller, rooms, async (pending, progress) => {
      const request = await readRequestOf(exchange, caller, rooms)
      const { engine } = rooms
      if (request.model !== engine.model.id)
        throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
      Object.assign(progress, { model: request.model, stream: request.stream })
      refuseForbidden(caller.key, request)
      refuseUnserved(request, engine.model)
      const idempotencyKey = idempotencyKeyOf(exchange, caller)
      const asked = { request, caller, pending, progress }
      if (idempotencyKey === null) await answerDirectly(exchange, asked, rooms)
      else await handleIdempotentRequest(exchange, { ...asked, idempotencyKey }, rooms)
    })

const readRequestOf = async (
  exchange: Exchange,
  { organisationId, key }: CompletionCaller,
  { bodies, bodyLimitBytes, requestReader }: ChatCompletionsRooms,
): Promise<ReceivedRequest> => {
  const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
  const hash = key !== null && exchange.request.headers['idempotency-key'] !== undefined
  const needs = { hash, copy: bodies.isKept(organisationId) }
  return requestReader.read(blocks, { organisationId, needs, signal: exchange.signal })
}

/** To the connection of the request: when that is gone, nobody wants the answer any more. */
const answerDirectly = async (
  exchange: Exchange,
  asked: Pick<Execution, 'request' | 'caller' | 'pending' | 'progress'>,
  rooms: ChatCompletionsRooms,
): Promise<void> => {
  const { requestId, startedMs } = exchange
  await withDeadline(exchange.signal, rooms.generationTimeoutMs, rooms.clock, async (signal) => {
    const delivery = openDirectDelivery(exchange, {
      ...rooms,
      signal,
      isStream: asked.request.stream,
      earlyHeaders: asked.pending.headers,
    })
    const completionId = newId('chatcmpl')
    try {
      await executeRequest({ ...asked, requestId, completionId, startedMs, signal, delivery }, rooms)
    } catch (error) {
      delivery.setHeaders()
      throw error
    }
  })
}
