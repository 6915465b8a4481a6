import type { Clock } from '../../base/clock.ts'
import type { Change, LimitsConnection } from './limits-connection.ts'
import type { LiveRequest } from './live-request.ts'

/** How long the end of a request waits to be sent together with the message that its settlement is in the ledger. */
const togetherMs = 50

/**
 * Requests that have ended, until Redis is told. For requests far from all limits, Redis is usually told once, together
 * with their settlement a moment later. Until then all their reserved tokens count.
 */
export const createEndedRequests = (connection: LimitsConnection, clock: Clock) => {
  const changes = new Map<string, Change>()
  let isSending = false
  let cancelTimer: (() => void) | null = null

  const send = (): void => {
    cancelTimer?.()
    cancelTimer = null
    isSending = false
    if (changes.size === 0) return
    const all = [...changes.values()]
    changes.clear()
    connection.change(all)
    for (const { what, id } of all) if (what !== 'settle') connection.live.delete(id)
  }

  connection.beforeRegistering(send)
  return {
    send,
    end(id: string, request: LiveRequest, isWritten: Promise<unknown>): void {
      changes.set(id, { what: 'settle', id, request })
      if (request.isFarFromLimits) cancelTimer ??= clock.after(togetherMs, send)
      else send()
      const onWritten = (): void => {
        changes.set(id, { what: changes.has(id) ? 'finish' : 'written', id, request })
        // Groups of requests are written at once.
        if (!isSending) queueMicrotask(send)
        isSending = true
      }
      isWritten.then(onWritten, onWritten)
    },
  }
}
