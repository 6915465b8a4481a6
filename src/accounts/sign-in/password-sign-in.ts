import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import { accountTarget, auditEvent } from '../audit-event.ts'
import { checkEmail, type Email } from '../email/check-email.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Visitor } from '../sessions/sessions.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { type AttemptResult, createSignInLimits } from './sign-in-limits.ts'
import type { SignInResult, SignInSteps } from './sign-in-steps.ts'

type PasswordSignInDependencies = {
  store: Pick<Store, 'accounts' | 'audit'>
  clock: Clock
  hasher: PasswordHasher
  signInSteps: Pick<SignInSteps, 'afterFirstProof'>
  knownBrowsers: KnownBrowsers
  createLimit: CreateAttemptLimit
}

export type PasswordSignIn = (email: string, password: string, visitor: Visitor) => Promise<SignInResult>

/** An unknown email takes the same path as a wrong password, including the hash, and gets the same error. */
export const createPasswordSignIn = (dependencies: PasswordSignInDependencies): PasswordSignIn => {
  const { store, clock, hasher, signInSteps, knownBrowsers, createLimit } = dependencies
  const beginAttempt = createSignInLimits({ clock, knownBrowsers, createLimit })

  /** Not awaited: the time it takes would reveal that the account exists. */
  const recordFailure = (accountId: string, address: string): void => {
    const visitor = { kind: 'visitor', id: null, name: null, address } as const
    const event = auditEvent('account.sign_in_failed', visitor, clock.now(), { target: accountTarget(accountId) })
    store.audit.record(event).catch(() => {})
  }

  return async (email, password, visitor) => {
    const { emailKey, emailSpellings } = readEmail(email)
    const endAttempt = await beginAttempt({ emailKey, address: visitor.address, visitToken: visitor.visitToken })
    let attempt: AttemptResult = 'undecided'
    try {
      const known = await store.accounts.findByEmail(emailSpellings)
      const hash = known?.passwordHash ?? null
      const isRight = await hasher.verify(password, hash)
      const isProven = isRight && known !== null && hash !== null
      const result = isProven
        ? await signInSteps.afterFirstProof(known, { kind: 'password', hash }, visitor, 'password')
        : null
      attempt = result === null ? 'failed' : 'succeeded'
      if (result === null) {
        if (known !== null) recordFailure(known.account.id, visitor.address)
        throw ApiError.of('wrong_credentials', {})
      }
      return result
    } finally {
      await endAttempt(attempt)
    }
  }
}

/** Text that is not an email belongs to no account, and fails like any unknown email. */
const readEmail = (text: string): Pick<Email, 'emailKey' | 'emailSpellings'> => {
  try {
    return checkEmail(text)
  } catch {
    return { emailKey: '', emailSpellings: [''] }
  }
}
