import type { Clock } from '../../base/clock.ts'
import { networkOf } from '../../base/network-of.ts'
import { type AttemptLimit, createAttemptLimit } from '../attempt-limit.ts'
import type { KnownBrowsers } from './known-browsers.ts'

export type SignInAttempt = {
  emailKey: string
  address: string
  /** Identifies the browser, by a cookie that outlives its session. */
  visitToken: string | null
}

export type AttemptResult = 'succeeded' | 'failed' | 'undecided'

const windowMs = 15 * 60_000
const perPair = 10
const perNetwork = 50
const accountUnderPressure = 30
const pressureDelayMs = 1_000
/** Each costs a hash, a session and an audit event. Only somebody with the password can consume them. */
const successesPerPair = 30

/**
 * Slows down password guessing without letting an attacker lock the owner out. No limit is on an account alone: failures
 * count against the pair of account and network, and against the network. A browser that has signed in to the account
 * before has a limit of its own, which holds even if an attack comes from its own network, or if all visitors seem to have
 * one address because a proxy is not configured. An account attacked from many networks responds to unknown browsers
 * later, but still responds. Existing sessions are not affected. Unknown emails are counted like known ones, so the
 * limits do not reveal which accounts exist.
 */
export const createSignInLimits = (clock: Clock, knownBrowsers: KnownBrowsers) => {
  const pairs = createAttemptLimit({ max: perPair, perMs: windowMs }, clock)
  const networks = createAttemptLimit({ max: perNetwork, perMs: windowMs }, clock)
  const successes = createAttemptLimit({ max: successesPerPair, perMs: windowMs }, clock)
  const accounts = createAttemptLimit({ max: accountUnderPressure, perMs: windowMs }, clock)

  /** Throws `too_many_attempts`, or resolves to a function to call with the result of the attempt. */
  return async ({ emailKey, address, visitToken }: SignInAttempt): Promise<(result: AttemptResult) => void> => {
    const network = networkOf(address)
    const isKnown = knownBrowsers.has(emailKey, visitToken)
    const pair = isKnown ? `${emailKey} browser ${visitToken}` : `${emailKey} ${network}`
    const isCalm = accounts.used(emailKey) <= accountUnderPressure - 1
    const success = `${emailKey} ${network}`
    consumeAll([[successes, success], [pairs, pair], ...(isKnown ? [] : [[networks, network] as const])])
    if (!isKnown) {
      if (isCalm) accounts.consume(emailKey)
      else await new Promise<void>((resolve) => clock.after(pressureDelayMs, resolve))
    }
    return (result) => {
      if (result !== 'succeeded') successes.refund(success)
      if (result === 'failed') return
      if (!isKnown) networks.refund(network)
      if (!isKnown && isCalm) accounts.refund(emailKey)
      if (result === 'undecided') pairs.refund(pair)
      else pairs.reset(pair)
    }
  }
}

/** All of them or none. */
const consumeAll = (wanted: readonly (readonly [AttemptLimit, string])[]): void => {
  const consumed: (readonly [AttemptLimit, string])[] = []
  try {
    for (const [limit, name] of wanted) {
      limit.consume(name)
      consumed.push([limit, name])
    }
  } catch (error) {
    for (const [limit, name] of consumed) limit.refund(name)
    throw error
  }
}
