import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../store/contract.ts'
import { checkEmail } from '../email/check-email.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { Visitor } from '../sessions/sessions.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { type AttemptEnd, createSignInLimits } from './sign-in-limits.ts'
import type { Entrance, Entry } from './sign-in-steps.ts'

type SignInRooms = {
  store: Pick<Store, 'accounts' | 'audit'>
  clock: Clock
  hasher: PasswordHasher
  entrance: Entrance
  knownBrowsers: KnownBrowsers
}

/** An unknown email and a wrong password go the same way, hash and all, and get the same answer. */
export const createSignIn = ({ store, clock, hasher, entrance, knownBrowsers }: SignInRooms) => {
  const begin = createSignInLimits(clock, knownBrowsers)

  /** Nobody waits for it: the time it takes would tell whether there is such an account. */
  const noteFailure = (accountId: string, address: string): void => {
    const actor = { kind: 'visitor', id: null, name: null, address } as const
    const told = { action: 'account.sign_in_failed', target: target(accountId), details: {} } as const
    store.audit.record({ at: clock.now(), organisationId: null, actor, ...told }).catch(() => {})
  }

  return async (email: string, password: string, visitor: Visitor): Promise<Entry> => {
    const emailKey = emailKeyOf(email)
    const end = await begin({ emailKey, address: visitor.address, visitToken: visitor.visitToken })
    let outcome: AttemptEnd = 'undecided'
    try {
      const known = await store.accounts.findByEmail(emailKey)
      const hash = known?.passwordHash ?? null
      const isRight = await hasher.verify(password, hash)
      const isProven = isRight && known !== null && hash !== null
      const entry = isProven ? await entrance.enter(known, { kind: 'password', hash }, visitor, 'password') : null
      outcome = entry === null ? 'failed' : 'succeeded'
      if (entry === null) {
        if (known !== null) noteFailure(known.account.id, visitor.address)
        throw ApiError.of('wrong_credentials', {})
      }
      return entry
    } finally {
      end(outcome)
    }
  }
}

const target = (id: string) => ({ kind: 'account', id, name: null }) as const

/** What cannot be an email belongs to nobody: it fails like any other that nobody has. */
const emailKeyOf = (text: string): string => {
  try {
    return checkEmail(text).emailKey
  } catch {
    return ''
  }
}
