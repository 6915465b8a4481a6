import type { Clock } from '../../base/clock.ts'
import { openEventStream } from '../../http/event-stream.ts'
import { ClientGone, type Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Delivery } from './delivery.ts'

type DirectOptions = { clock: Clock; heartbeatMs: number; stallTimeoutMs: number; signal: AbortSignal }

type LimitHeaders = Parameters<Delivery['admitted']>[0]

/** The answer goes to the connection that asked for it, and to no other. */
export type DirectDelivery = Delivery & {
  /** Puts what is known of the limits on the head of an answer that is not out yet. */
  setHeaders(): void
}

export const openDirectDelivery = (exchange: Exchange, options: DirectOptions): DirectDelivery => {
  const { response } = exchange
  let limitHeaders: LimitHeaders = () => ({})
  const setHeaders = (usedTokens?: number): void => {
    if (response.headersSent) return
    for (const [name, value] of Object.entries(limitHeaders(usedTokens))) response.setHeader(name, value)
  }
  const stream = openEventStream(exchange, { ...options, beforeHead: () => setHeaders() })
  /** Already a moment before the connection is known to be closed, its socket takes nothing more. */
  const refuseGone = (): void => {
    if (response.socket?.writable !== true) throw new ClientGone()
  }
  return {
    setHeaders: () => setHeaders(),
    admitted(headers) {
      limitHeaders = headers
    },
    send(data) {
      refuseGone()
      return stream.send(data)
    },
    document(completion) {
      refuseGone()
      // Whoever reads this has the whole answer: what it did not take is free again.
      setHeaders(completion.usage.total_tokens)
      sendJson(exchange, 200, completion)
    },
    async end(settle) {
      if (!response.writableEnded) stream.done()
      await settle()
    },
  }
}
