import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Store } from '../store/contract.ts'
import { checkEmail } from './check-email.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { Sessions, SignedIn, Visitor } from './sessions.ts'
import { type AttemptEnd, createSignInLimits } from './sign-in-limits.ts'

type SignInRooms = { store: Pick<Store, 'accounts'>; clock: Clock; hasher: PasswordHasher; sessions: Sessions }

/** An unknown email and a wrong password go the same way, hash and all, and get the same answer. */
export const createSignIn = ({ store, clock, hasher, sessions }: SignInRooms) => {
  const begin = createSignInLimits(clock)

  return async (email: string, password: string, visitor: Visitor): Promise<SignedIn> => {
    const emailKey = emailKeyOf(email)
    const end = await begin({ emailKey, address: visitor.address, visitToken: visitor.visitToken })
    let outcome: AttemptEnd = 'undecided'
    try {
      const known = await store.accounts.findByEmail(emailKey)
      const isRight = await hasher.verify(password, known?.passwordHash ?? null)
      const signedIn = isRight && known !== null ? await sessions.open(known, visitor) : null
      outcome = signedIn === null ? 'failed' : 'succeeded'
      if (signedIn === null) throw ApiError.of('wrong_credentials', {})
      return signedIn
    } finally {
      end(outcome)
    }
  }
}

/** What cannot be an email belongs to nobody: it fails like any other that nobody has. */
const emailKeyOf = (text: string): string => {
  try {
    return checkEmail(text).emailKey
  } catch {
    return ''
  }
}
