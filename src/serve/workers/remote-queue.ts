import type { Clock } from '../../base/clock.ts'
import type { RequestQueue, Slot } from '../../schedule/request-queue.ts'
import type { TokenCounts } from '../../schedule/token-cost.ts'
import type { AuthorityPort } from './authority-port.ts'
import type { Ticket } from './protocol.ts'
import { RemoteReservation } from './remote-accounting.ts'

type QueueDependencies = { port: AuthorityPort; clock: Clock }

/** How often the authority is told what a running request has used. */
const reportMs = 250

/** The queues of a worker: its authority has the slots, and each was asked for when its request began. */
export const createRemoteQueue = (dependencies: QueueDependencies): RequestQueue => ({
  async enter({ held }, signal) {
    if (!(held instanceof RemoteReservation)) throw new Error('a worker queues only what its authority admitted')
    return createRemoteSlot(await held.slot.wait(signal), held.slot.giveBack, dependencies)
  },
  resize() {},
  // The authority knows.
  running: 0,
  waiting: 0,
  limit: 0,
  remembered: { requests: 0, owners: 0 },
})

/** Of a request with one choice at an upstream, whose answers cannot be paused. */
const createRemoteSlot = (ticket: Ticket, giveBack: () => void, { port, clock }: QueueDependencies): Slot => {
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
      giveBack()
    },
    tryExtra: () => null,
    yield: () => null,
    suspend() {},
    resume() {},
    pauses: () => ({ count: 0, ms: 0 }),
    pausePeriods: () => [],
  }
}
