import type { Clock } from '../../base/clock.ts'
import { openEventStream } from '../../http/event-stream.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Delivery } from './delivery.ts'

type DirectOptions = { clock: Clock; heartbeatMs: number; stallTimeoutMs: number; signal: AbortSignal }

/** The answer goes to the connection that asked for it, and to no other. */
export const openDirectDelivery = (exchange: Exchange, options: DirectOptions): Delivery => {
  const { response } = exchange
  let limitHeaders = (): Record<string, string> => ({})
  const setHeaders = (): void => {
    for (const [name, value] of Object.entries(limitHeaders())) response.setHeader(name, value)
  }
  const stream = openEventStream(exchange, { ...options, beforeHead: setHeaders })
  return {
    admitted(headers) {
      limitHeaders = headers
    },
    send: stream.send,
    document(completion) {
      setHeaders()
      sendJson(exchange, 200, completion)
    },
    async end(settle) {
      if (!response.writableEnded) stream.done()
      await settle()
    },
  }
}
