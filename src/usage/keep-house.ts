import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { Store } from '../store/contract.ts'

type HouseOptions = {
  store: Pick<Store, 'ledger' | 'replays'>
  clock: Clock
  log: Log
  ledgerRetentionDays: number
}

export interface HouseKeeper {
  /** Resolves once a pass that runs has stopped. */
  close(): Promise<void>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** So few that no request waits for it noticeably. */
const removedAtOnce = 200

/** Removes at the start and every hour what had its time: answers kept for a retry, and old rows of the ledger. */
export const keepHouse = ({ store, clock, log, ledgerRetentionDays }: HouseOptions): HouseKeeper => {
  let closed = false
  let cancelNext = (): void => {}

  const repeat = async (remove: () => Promise<number>, whole: number): Promise<number> => {
    let sum = 0
    for (;;) {
      const removed = closed ? 0 : await remove()
      sum += removed
      if (removed < whole) return sum
    }
  }

  const pass = async (): Promise<void> => {
    const now = clock.now()
    try {
      const replays = await repeat(() => store.replays.removeExpired(now), 1)
      const notes = await repeat(() => store.ledger.pruneNotes(now - dayMs, removedAtOnce), removedAtOnce)
      const endedBefore = now - ledgerRetentionDays * dayMs
      const requests = await repeat(() => store.ledger.prune(endedBefore, removedAtOnce), removedAtOnce)
      if (replays + notes + requests > 0) log.info('house_kept', { replays, notes, requests })
    } catch (error) {
      log.error('house_keeping_failed', { cause: errorText(error) })
    }
    if (!closed) cancelNext = clock.after(hourMs, start)
  }

  let running = Promise.resolve()
  const start = (): void => {
    running = pass()
  }
  start()
  return {
    async close() {
      closed = true
      cancelNext()
      await running
    },
  }
}
