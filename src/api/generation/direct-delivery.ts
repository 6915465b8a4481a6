import type { Clock } from '../../base/clock.ts'
import { openEventStream } from '../../http/event-stream.ts'
import { ClientGone, type Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Delivery, ResponseEnd } from './delivery.ts'
import { untilAttempted } from './until-attempted.ts'

type DirectOptions = {
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
  signal: AbortSignal
  /** A stream sends heartbeats from now on. */
  isStream: boolean
  /** The rate-limit headers of a response that begins before its request is admitted. */
  earlyHeaders(): Record<string, string>
}

type LimitHeaders = Parameters<Delivery['admitted']>[0]

/** Sends the response to the connection of its request. */
export type DirectDelivery = Delivery & {
  /** Sets the rate-limit headers, as far as they are known and not sent yet. */
  setHeaders(): void
}

export const openDirectDelivery = (exchange: Exchange, options: DirectOptions): DirectDelivery => {
  const { response } = exchange
  let limitHeaders: LimitHeaders | null = null
  const set = (headers: Record<string, string>): void => {
    if (response.headersSent) return
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  }
  const setHeaders = (usedTokens?: number): void => set(limitHeaders?.(usedTokens) ?? {})
  const beforeHead = (): void => set(limitHeaders?.() ?? options.earlyHeaders())
  const stream = openEventStream(exchange, { ...options, beforeHead })
  if (options.isStream) stream.keepAlive()
  /** The socket stops being writable a moment before the connection is reported as closed. */
  const refuseGone = (): void => {
    if (response.socket?.writable !== true) throw new ClientGone()
  }
  const sendEnd = (end: ResponseEnd): void => {
    if (end.type === 'document') sendJson(exchange, 200, end.completion)
    else stream.done(end.events)
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
    async end(end, settle) {
      refuseGone()
      // With a JSON response everything is sent: what it did not use is released by then.
      if (end.type === 'document') setHeaders(end.completion.usage.total_tokens)
      await untilAttempted(settle(), options.clock)
      refuseGone()
      sendEnd(end)
    },
  }
}
