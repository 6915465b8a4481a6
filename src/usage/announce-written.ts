import type { Clock } from '../base/clock.ts'
import type { Messages } from '../base/messages.ts'

/** Live logs at other nodes are so much later. */
const restMs = 250

/** Announces to other nodes whose requests began or ended: in one message for all of a quarter of a second. */
export const createAnnounceWritten = (messages: Messages, clock: Clock): ((organisationId: string) => void) => {
  const waiting = new Set<string>()
  return (organisationId) => {
    if (waiting.size === 0)
      clock.after(restMs, () => {
        messages.publish('ledger', [...waiting])
        waiting.clear()
      })
    waiting.add(organisationId)
  }
}
