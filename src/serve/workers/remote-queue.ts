import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { RequestQueue, Slot } from '../../schedule/request-queue.ts'
import type { TokenCounts } from '../../schedule/token-cost.ts'
import type { Ticket } from './protocol.ts'
import type { AuthorityPort } from './remote-accounting.ts'
import type { Tickets } from './tickets.ts'

type QueueDependencies = { port: AuthorityPort; tickets: Tickets; clock: Clock }

/** How often the authority is told what a running request has used. */
const reportMs = 250

/** The queue of a model in a worker: its authority has the slots. */
export const createRemoteQueue = (model: string, { port, tickets, clock }: QueueDependencies): RequestQueue => ({
  enter: ({ organisationId, ownerId, size }, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const ticket = tickets.take()
      if (ticket === null) return reject(ApiError.of('queue_full', {}, { retryAfterMs: 1000 }))
      let isLeft = false
      const onAbort = (): void => {
        isLeft = true
        port.note('slotLeft', { ticket, tokens: null })
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      port.call('enter', { ticket, model, organisationId, ownerId, size }).then(
        () => {
          signal.removeEventListener('abort', onAbort)
          if (isLeft) tickets.giveBack(ticket)
          else resolve(createRemoteSlot(ticket, { port, tickets, clock }))
        },
        (error: unknown) => {
          signal.removeEventListener('abort', onAbort)
          tickets.giveBack(ticket)
          reject(error)
        },
      )
    }),
  resize() {},
  // The authority knows.
  running: 0,
  waiting: 0,
  limit: 0,
  remembered: { requests: 0, owners: 0 },
})

/** Of a request with one choice at an upstream, whose answers cannot be paused. */
const createRemoteSlot = (ticket: Ticket, { port, tickets, clock }: QueueDependencies): Slot => {
  let isReleased = false
  let reportedMs = clock.monotonicMs()
  let unreported: TokenCounts | null = null
  return {
    used({ promptTokens, cachedTokens, completionTokens }) {
      if (isReleased) return
      unreported = { promptTokens, cachedTokens, completionTokens }
      const nowMs = clock.monotonicMs()
      if (nowMs - reportedMs < reportMs) return
      reportedMs = nowMs
      port.note('slotUsed', { ticket, tokens: unreported })
      unreported = null
    },
    release() {
      if (isReleased) return
      isReleased = true
      port.note('slotLeft', { ticket, tokens: unreported })
      tickets.giveBack(ticket)
    },
    tryExtra: () => null,
    yield: () => null,
    suspend() {},
    resume() {},
    pauses: () => ({ count: 0, ms: 0 }),
    pausePeriods: () => [],
  }
}
