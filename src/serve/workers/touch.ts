import type { Clock } from '../../base/clock.ts'
import type { AuthorityPort } from './authority-port.ts'

/** When keys were last used is known to the second. */
const everyMs = 1000

/** Tells the authority that a key is used, once a second for each. */
export const createTouch = (port: Pick<AuthorityPort, 'note'>, clock: Clock): ((keyId: string) => void) => {
  const told = new Set<string>()
  let sinceMs = clock.monotonicMs()
  return (keyId) => {
    const nowMs = clock.monotonicMs()
    if (nowMs - sinceMs >= everyMs) {
      told.clear()
      sinceMs = nowMs
    }
    if (told.has(keyId)) return
    told.add(keyId)
    port.note('touched', { keyId })
  }
}
