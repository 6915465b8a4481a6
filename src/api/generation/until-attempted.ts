import type { Clock } from '../../base/clock.ts'
import { endWaitMs } from '../../replay/recording.ts'
import type { Settling } from '../../usage/ledger-contract.ts'

/** A client that has all of a response but its end does not wait for a disk that is full or hangs. */
export const untilAttempted = ({ attempted }: Settling, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(endWaitMs, resolve)
    void attempted.then(() => {
      cancel()
      resolve()
    })
  })
