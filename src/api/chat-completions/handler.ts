import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { readIdempotencyKey } from '../../replay/idempotency-key.ts'
import type { Replays } from '../../replay/replays.ts'
import { withDeadline } from './deadline.ts'
import type { Delivery } from './delivery.ts'
import { openDirectDelivery } from './direct-delivery.ts'
import { refuseUnserved } from './needed-features.ts'
import { openRecordedDelivery } from './recorded-delivery.ts'
import { chatRequest } from './request/request.ts'
import { type Asker, type RunRooms, runAnswer } from './run-answer.ts'
import { tellAnswer } from './tell-answer.ts'

/**
 * `POST /v1/chat/completions`: validates, then lets the answer run to whoever asked for it. With an Idempotency-Key it
 * runs into a recording, and this connection is told of it like any other that sends the same key.
 */
export type ChatCompletionsRooms = RunRooms & {
  clock: Clock
  replays: Replays
  heartbeatMs: number
  stallTimeoutMs: number
  bodyLimitBytes: number
  generationTimeoutMs: number
}

export const createChatCompletions =
  (rooms: ChatCompletionsRooms) =>
  async (exchange: Exchange, asker: Asker): Promise<void> => {
    const { engine, clock, generationTimeoutMs } = rooms
    const { requestId, startedMs, facts } = exchange
    const request = await readJson(exchange, rooms.bodyLimitBytes, chatRequest)
    const idempotencyKey = idempotencyKeyOf(exchange, asker)
    if (request.model !== engine.model.id) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
    refuseUnserved(request, engine.model)
    Object.assign(facts, { model: request.model, stream: request.stream })
    const completionId = newId('chatcmpl')

    const run = (outer: AbortSignal, openDelivery: (signal: AbortSignal) => Delivery): Promise<void> =>
      withDeadline(outer, generationTimeoutMs, clock, (signal) => {
        const delivery = openDelivery(signal)
        return runAnswer({ request, asker, requestId, completionId, startedMs, facts, signal, delivery }, rooms)
      })
    if (idempotencyKey === null)
      return run(exchange.signal, (signal) => openDirectDelivery(exchange, { ...rooms, signal }))

    let limitHeaders = (): Record<string, string> => ({})
    const admitted: Delivery['admitted'] = (headers) => {
      limitHeaders = headers
    }
    const telling = await rooms.replays.open({
      organisationId: asker.organisationId,
      idempotencyKey,
      body: request.sent,
      stream: request.stream,
      lastEventId: request.stream ? lastEventIdOf(exchange) : null,
      requestId,
      completionId,
      run: (take) => run(take.signal, (signal) => openRecordedDelivery(take, signal, admitted)),
    })
    await tellAnswer(exchange, telling, {
      ...rooms,
      stream: request.stream,
      beforeHead() {
        for (const [name, value] of Object.entries(limitHeaders())) exchange.response.setHeader(name, value)
      },
    })
  }

/** The playground has a page in front of it that asks once. */
const idempotencyKeyOf = ({ request }: Exchange, { key }: Asker): string | null =>
  key === null ? null : readIdempotencyKey(request.headersDistinct['idempotency-key'])

/** An empty one says that nothing was seen yet. */
const lastEventIdOf = ({ request }: Exchange): string | null => {
  const { 'last-event-id': lastEventId = '' } = request.headers
  return typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null
}
