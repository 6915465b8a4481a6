import type { Clock } from '../../base/clock.ts'
import { openEventStream } from '../../http/event-stream.ts'
import { ClientGone, type Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import { endWaitMs } from '../../replay/recording.ts'
import type { Settling } from '../../usage/ledger.ts'
import type { Delivery, ResponseEnd } from './delivery.ts'

type DirectOptions = {
  clock: Clock
  heartbeatMs: number
  stallTimeoutMs: number
  signal: AbortSignal
  /** A stream is never silent for long, from now on. */
  isStream: boolean
  /** The limits as they are, for a head that goes out before the request is admitted. */
  earlyHeaders(): Record<string, string>
}

type LimitHeaders = Parameters<Delivery['admitted']>[0]

/** The answer goes to the connection that asked for it, and to no other. */
export type DirectDelivery = Delivery & {
  /** Puts what is known of the limits on the head of an answer that is not out yet. */
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
  /** Already a moment before the connection is known to be closed, its socket takes nothing more. */
  const refuseGone = (): void => {
    if (response.socket?.writable !== true) throw new ClientGone()
  }
  const handOver = (end: ResponseEnd): void => {
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
      // Whoever reads a document has the whole answer: what it did not take is free again.
      if (end.type === 'document') setHeaders(end.completion.usage.total_tokens)
      await untilAttempted(settle(), options.clock)
      refuseGone()
      handOver(end)
    },
  }
}

/** Whoever has all of an answer but its end does not wait for a disk to be emptied, or for one that hangs. */
const untilAttempted = ({ attempted }: Settling, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(endWaitMs, resolve)
    void attempted.then(() => {
      cancel()
      resolve()
    })
  })
