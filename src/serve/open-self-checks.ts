import type { Clock } from '../base/clock.ts'
import type { SelfChecks } from '../health/self-checks.ts'
import type { Closers } from './closers.ts'

/** Others read them with the heartbeats, which do not wait for them. A little less than what other parts wait for. */
const repeatMs = 29_300

/** Checks the dependencies of this node again and again. A check that hangs does not delay closing. */
export const openSelfChecks = (checks: Pick<SelfChecks, 'run'>, clock: Clock, closers: Closers): void => {
  let cancel = (): void => {}
  let isClosed = false
  const pass = (): void => {
    void checks.run().finally(() => {
      if (!isClosed) cancel = clock.after(repeatMs, pass)
    })
  }
  pass()
  closers.add(() => {
    isClosed = true
    cancel()
  })
}
