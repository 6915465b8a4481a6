import type { Clock } from '../../../base/clock.ts'
import { openEventStream } from '../../../http/event-stream.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { sendPieces } from '../../../http/send-pieces.ts'
import { refuseGone, setLimitHeaders, untilAttempted } from './connection.ts'
import type { Delivery, ResponseEnd } from './delivery.ts'

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
  let limitHeaders: LimitHeaders | null = null
  const setHeaders = (usedTokens?: number): void => setLimitHeaders(exchange, limitHeaders?.(usedTokens) ?? {})
  const beforeHead = (): void => setLimitHeaders(exchange, limitHeaders?.() ?? options.earlyHeaders())
  const stream = openEventStream(exchange, { ...options, beforeHead })
  if (options.isStream) stream.keepAlive()
  const sendEnd = (end: ResponseEnd): Promise<void> | void =>
    end.type === 'document' ? sendPieces(exchange, end.pieces) : stream.done(end.events)
  return {
    setHeaders: () => setHeaders(),
    admitted(headers) {
      limitHeaders = headers
    },
    begin() {},
    send(data) {
      refuseGone(exchange)
      return stream.send(data)
    },
    sendAll(data) {
      refuseGone(exchange)
      return stream.sendAll(data)
    },
    async end(end, settle) {
      refuseGone(exchange)
      // A JSON response is sent at its end, when unused tokens have been released.
      if (end.type === 'document') setHeaders(end.usedTokens)
      await untilAttempted(settle(), options.clock)
      refuseGone(exchange)
      await sendEnd(end)
    },
  }
}
