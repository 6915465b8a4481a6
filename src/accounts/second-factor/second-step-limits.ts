import type { AttemptLimit, CreateAttemptLimit } from '../attempts/attempt-limit.ts'

/** For each browser that has signed in to the account before, and for all others together. */
const perKnownBrowser = { max: 10, perMs: 15 * 60_000 }
const forUnknownBrowsers = { max: 10, perMs: 3_600_000 }

/**
 * An attacker at this step knows the password, and a code has only six digits, of which three are accepted. So this is the
 * one place where attempts count against the account, wherever they come from. Known browsers have a limit of their own,
 * so that the password alone is not enough to lock the owner out.
 */
export const createSecondStepLimits = (createLimit: CreateAttemptLimit) => {
  const known = createLimit('code-known', perKnownBrowser)
  const unknown = createLimit('code-unknown', forUnknownBrowsers)

  /** Throws `too_many_attempts`, or resolves to a function to call if the code was right. */
  return async (accountId: string, visitToken: string | null, isKnown: boolean): Promise<() => Promise<void>> => {
    const [limit, name]: [AttemptLimit, string] = isKnown ? [known, `${accountId} ${visitToken}`] : [unknown, accountId]
    await limit.consume(name)
    return () => limit.refund(name)
  }
}
