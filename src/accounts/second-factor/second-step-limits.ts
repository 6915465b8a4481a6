import type { Clock } from '../../base/clock.ts'
import { type AttemptLimit, createAttemptLimit } from '../attempt-limit.ts'

/** For a browser that signed in to the account before, and for all others together. */
const ofKnownBrowser = { most: 10, perMs: 15 * 60_000 }
const ofStrangers = { most: 10, perMs: 3_600_000 }

/**
 * Whoever gets here knows the password, and a code has only six digits, of which three are right: so this is the one place
 * where tries count against the account, from wherever they come. A browser that was here before counts for itself, so
 * that nobody can shut the owner out with the password alone.
 */
export const createSecondStepLimits = (clock: Clock) => {
  const known = createAttemptLimit(ofKnownBrowser, clock)
  const strangers = createAttemptLimit(ofStrangers, clock)

  /** Throws `too_many_attempts`, or returns the function that is called when the code was right. */
  return (accountId: string, visitToken: string | null, isKnown: boolean): (() => void) => {
    const [limit, name]: [AttemptLimit, string] = isKnown
      ? [known, `${accountId} ${visitToken}`]
      : [strangers, accountId]
    limit.take(name)
    return () => limit.giveBack(name)
  }
}
