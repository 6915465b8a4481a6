import type { Clock } from '../base/clock.ts'
import type { EventType } from './event-types.ts'
import type { EventData } from './raise-events.ts'

/** What this node has seen to be wrong, to tell once it has been well for long enough. */
export interface Recoveries {
  /** It is wrong now. `type`: of the event that tells that it is well again. */
  wrong(type: EventType, about: string, data: EventData): void
  /** After everything was looked at. What `isKnown` does not know any more, such as an upstream that was removed, is forgotten. */
  look(isKnown: (type: EventType, about: string) => boolean): Promise<void>
}

type RecoveriesDependencies = {
  clock: Clock
  /** How long it must have been well. If it is wrong again earlier, nothing new has happened. */
  wellMs: number
  tell(type: EventType, about: string, data: EventData): Promise<unknown>
}

type Wrong = { type: EventType; about: string; data: EventData; seenMs: number }

export const createRecoveries = ({ clock, wellMs, tell }: RecoveriesDependencies): Recoveries => {
  const seen = new Map<string, Wrong>()
  return {
    wrong(type, about, data) {
      seen.set(`${type} ${about}`, { type, about, data, seenMs: clock.monotonicMs() })
    },
    async look(isKnown) {
      for (const [name, { type, about, data, seenMs }] of seen) {
        const isWell = clock.monotonicMs() - seenMs >= wellMs
        if (isKnown(type, about) && !isWell) continue
        seen.delete(name)
        if (isWell && isKnown(type, about)) await tell(type, about, data)
      }
    },
  }
}
