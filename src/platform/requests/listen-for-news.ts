import type { Clock } from '../../base/clock.ts'
import type { LedgerBell } from '../../usage/ledger-bell.ts'

export interface NewsEar {
  /** Resolves when there may be something new, after `mostMs` at the latest; false: there is no more to come. */
  heard(mostMs: number): Promise<boolean>
  close(): void
}

/** However often it rings, there is one look: at once after a silence, otherwise `restMs` after the one before. */
export const listenForNews = (bell: LedgerBell, organisationId: string, clock: Clock, restMs: number): NewsEar => {
  let hasRung = false
  let isOver = false
  let wake = (): void => {}
  let restsUntilMs = 0
  const end = (): void => {
    isOver = true
    wake()
  }
  const onRing = (): void => {
    hasRung = true
    wake()
  }
  const stop = bell.listen(organisationId, { onRing, onClose: end })
  const woken = (mostMs: number, isDue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isDue()) return resolve()
      const done = (): void => {
        cancel()
        wake = () => {}
        resolve()
      }
      const cancel = clock.after(mostMs, done)
      wake = () => {
        if (isDue()) done()
      }
    })
  return {
    async heard(mostMs) {
      const restMsLeft = restsUntilMs - clock.monotonicMs()
      if (restMsLeft > 0) await woken(restMsLeft, () => isOver)
      await woken(mostMs, () => isOver || hasRung)
      hasRung = false
      restsUntilMs = clock.monotonicMs() + restMs
      return !isOver
    },
    close() {
      stop()
      end()
    },
  }
}
