import type { Clock } from '../../base/clock.ts'
import { toNetwork } from '../../base/to-network.ts'
import type { AttemptLimit, CreateAttemptLimit } from '../attempts/attempt-limit.ts'
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
type SignInLimitsDependencies = { clock: Clock; knownBrowsers: KnownBrowsers; createLimit: CreateAttemptLimit }

export const createSignInLimits = ({ clock, knownBrowsers, createLimit }: SignInLimitsDependencies) => {
  const pairs = createLimit('sign-in-pair', { max: perPair, perMs: windowMs })
  const networks = createLimit('sign-in-network', { max: perNetwork, perMs: windowMs })
  const successes = createLimit('sign-in-success', { max: successesPerPair, perMs: windowMs })
  const accounts = createLimit('sign-in-account', { max: accountUnderPressure, perMs: windowMs })

  /** Throws `too_many_attempts`, or resolves to a function to call with the result of the attempt. */
  return async ({
    emailKey,
    address,
    visitToken,
  }: SignInAttempt): Promise<(result: AttemptResult) => Promise<void>> => {
    const network = toNetwork(address)
    const isKnown = await knownBrowsers.has(emailKey, visitToken)
    const pair = isKnown ? `${emailKey} browser ${visitToken}` : `${emailKey} ${network}`
    const isCalm = (await accounts.used(emailKey)) <= accountUnderPressure - 1
    const success = `${emailKey} ${network}`
    await consumeAll([[successes, success], [pairs, pair], ...(isKnown ? [] : [[networks, network] as const])])
    // Others may have consumed the last one in the meantime.
    const isCounted = !isKnown && isCalm && (await accounts.tryConsume(emailKey))
    if (!isKnown && !isCounted) await new Promise<void>((resolve) => clock.after(pressureDelayMs, resolve))
    return async (result) => {
      if (result !== 'succeeded') await successes.refund(success)
      if (result === 'failed') return
      if (!isKnown) await networks.refund(network)
      if (isCounted) await accounts.refund(emailKey)
      if (result === 'undecided') await pairs.refund(pair)
      else await pairs.reset(pair)
    }
  }
}

/** All of them or none. */
const consumeAll = async (wanted: readonly (readonly [AttemptLimit, string])[]): Promise<void> => {
  const consumed: (readonly [AttemptLimit, string])[] = []
  try {
    for (const [limit, name] of wanted) {
      await limit.consume(name)
      consumed.push([limit, name])
    }
  } catch (error) {
    for (const [limit, name] of consumed) await limit.refund(name)
    throw error
  }
}
