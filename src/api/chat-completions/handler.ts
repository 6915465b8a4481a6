import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { withDeadline } from './deadline.ts'
import { openDirectDelivery } from './direct-delivery.ts'
import { refuseUnserved } from './needed-features.ts'
import { chatRequest } from './request/request.ts'
import { type Asker, type RunRooms, runAnswer } from './run-answer.ts'

/** `POST /v1/chat/completions`: validates, then lets the answer run to whoever asked for it. */
export type ChatCompletionsRooms = RunRooms & {
  clock: Clock
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
    if (request.model !== engine.model.id) throw ApiError.of('model_not_found', { model: request.model.slice(0, 100) })
    refuseUnserved(request, engine.model)
    Object.assign(facts, { model: request.model, stream: request.stream })
    const completionId = newId('chatcmpl')

    await withDeadline(exchange.signal, generationTimeoutMs, clock, (signal) => {
      const delivery = openDirectDelivery(exchange, { ...rooms, signal })
      return runAnswer({ request, asker, requestId, completionId, startedMs, facts, signal, delivery }, rooms)
    })
  }
