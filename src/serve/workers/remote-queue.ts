import type { Clock } from '../../base/clock.ts'
import type { RequestQueue, Slot } from '../../schedule/request-queue.ts'
import type { TokenCounts } from '../../schedule/token-cost.ts'
import type { AuthorityPort } from './authority-port.ts'
import { RemoteReservation } from './remote-accounting.ts'
import type { GivenSlot } from './slot-request.ts'

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

/** Of a request at an upstream, whose answers cannot be paused. */
const createRemoteSlot = (
  { ticket, extras }: GivenSlot,
  giveBack: () => void,
  { port, clock }: QueueDependencies,
): Slot => {
  let isReleased = false
  /** All of them are free. */
  let isLeft = false
  let reportedMs = clock.monotonicMs()
  let unreported: TokenCounts | null = null
  /** Those that run choices and those that could, without the request's own. */
  let held = extras
  let unused = extras
  let asked: Promise<null> | null = null
  /** A slot of the request became free since another was asked for. */
  let mayAsk = false

  const leaveOne = (): void => {
    if (isReleased && held === 0) {
      isLeft = true
      port.note('slotLeft', { ticket, tokens: unreported })
      giveBack()
    } else port.note('extraLeft', { ticket })
  }
  const leaveExtra = (): void => {
    held -= 1
    mayAsk = true
    leaveOne()
  }
  const take = (): (() => void) | null => {
    if (unused === 0) return null
    unused -= 1
    let isHeld = true
    return () => {
      if (isHeld) leaveExtra()
      isHeld = false
    }
  }
  const ask = async (): Promise<null> => {
    const isGranted = await port.call('extraSlot', { ticket }).catch(() => false)
    asked = null
    // Those that it did not hear of were left with the last one.
    if (!isGranted || isLeft) return null
    held += 1
    if (isReleased) leaveExtra()
    else unused += 1
    return null
  }
  return {
    used({ promptTokens, cachedTokens, completionTokens }) {
      if (isLeft) return
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
      for (; unused > 0; unused -= 1) {
        held -= 1
        port.note('extraLeft', { ticket })
      }
      leaveOne()
    },
    tryExtra() {
      const release = take()
      if (release !== null || isReleased || !mayAsk || asked !== null) return release
      mayAsk = false
      asked = ask()
      return null
    },
    // One that came while nobody waited for it is there at once.
    extraAsked: () => (unused > 0 ? Promise.resolve(null) : asked),
    yield(signal) {
      mayAsk = true
      return new Promise((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason)
        if (signal.aborted) return onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        port
          .call('yieldSlot', { ticket })
          .finally(() => signal.removeEventListener('abort', onAbort))
          .then(() => resolve(), reject)
      })
    },
    suspend() {},
    resume() {},
    pauses: () => ({ count: 0, ms: 0 }),
    pausePeriods: () => [],
  }
}
