import type { Clock } from '../../base/clock.ts'
import { networkOf } from '../../base/network-of.ts'
import { type AttemptLimit, createAttemptLimit } from '../attempt-limit.ts'
import type { KnownBrowsers } from './known-browsers.ts'

/** Who tries to sign in, and from where. */
export type SignInAttempt = {
  emailKey: string
  address: string
  /** Names the browser, by a cookie that it keeps when its session ends. */
  visitToken: string | null
}

export type AttemptEnd = 'succeeded' | 'failed' | 'undecided'

const windowMs = 15 * 60_000
const perPair = 10
const perNetwork = 50
const accountUnderPressure = 30
const pressureDelayMs = 1_000
/** Each costs a hash, a session and a line in the audit. Only somebody with the password can use them up. */
const successesPerPair = 30

/**
 * Guessing is slowed without giving anybody a switch to lock the owner out with. So nothing counts against an account
 * alone: failures count for the pair of account and network, and for the network. A browser that has signed in to the
 * account before is counted by itself, also when a flood comes from its own network, or when all people seem to come from
 * one address because a proxy was not named. An account under fire from many networks answers strangers later, not never.
 * Whoever is signed in is not touched by any of this. Unknown emails are counted like known ones, so the limits tell
 * nothing about who has an account.
 */
export const createSignInLimits = (clock: Clock, knownBrowsers: KnownBrowsers) => {
  const pairs = createAttemptLimit({ most: perPair, perMs: windowMs }, clock)
  const networks = createAttemptLimit({ most: perNetwork, perMs: windowMs }, clock)
  const successes = createAttemptLimit({ most: successesPerPair, perMs: windowMs }, clock)
  const accounts = createAttemptLimit({ most: accountUnderPressure, perMs: windowMs }, clock)

  /** Throws `too_many_attempts`, or resolves to the function that is told how the attempt ended. */
  return async ({ emailKey, address, visitToken }: SignInAttempt): Promise<(end: AttemptEnd) => void> => {
    const network = networkOf(address)
    const isKnown = knownBrowsers.has(emailKey, visitToken)
    const pair = isKnown ? `${emailKey} browser ${visitToken}` : `${emailKey} ${network}`
    const isCalm = accounts.used(emailKey) <= accountUnderPressure - 1
    const entered = `${emailKey} ${network}`
    takeAll([[successes, entered], [pairs, pair], ...(isKnown ? [] : [[networks, network] as const])])
    if (!isKnown) {
      if (isCalm) accounts.take(emailKey)
      else await new Promise<void>((resolve) => clock.after(pressureDelayMs, resolve))
    }
    return (end) => {
      if (end !== 'succeeded') successes.giveBack(entered)
      if (end === 'failed') return
      if (!isKnown) networks.giveBack(network)
      if (!isKnown && isCalm) accounts.giveBack(emailKey)
      if (end === 'undecided') pairs.giveBack(pair)
      else pairs.forget(pair)
    }
  }
}

/** All of them or none. */
const takeAll = (wanted: readonly (readonly [AttemptLimit, string])[]): void => {
  const taken: (readonly [AttemptLimit, string])[] = []
  try {
    for (const [limit, name] of wanted) {
      limit.take(name)
      taken.push([limit, name])
    }
  } catch (error) {
    for (const [limit, name] of taken) limit.giveBack(name)
    throw error
  }
}
