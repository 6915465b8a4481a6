import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { KnownAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { CodeProof } from '../../store/sign-in-contract.ts'
import type { Actor } from '../actor.ts'
import { createAttemptLimit } from '../attempt-limit.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { CodeReader } from '../second-factor/code-reader.ts'

/** Somebody who is signed in, and what they proved in this session, and when. */
export type Holder = Actor & { hasSecondFactor: boolean; confirmedAt: number }

/** What opens another way into the account, or closes one, needs a proof that is not older. */
const freshMs = 10 * 60_000
const attempts = { most: 10, perMs: 15 * 60_000 }

type ConfirmationRooms = {
  store: Pick<Store, 'accounts' | 'sessions' | 'secondFactors'>
  clock: Clock
  hasher: PasswordHasher
  readCode: CodeReader
}

export interface Confirmations {
  /** Throws `confirmation_needed`. A stolen session alone must not become an account of its own. */
  requireFresh(holder: Holder): void
  byPassword(holder: Holder, password: string): Promise<void>
  byCode(holder: Holder, code: string): Promise<void>
  /** Throws `wrong_password` unless it is theirs. */
  checkPassword(holder: Holder, password: string, param: string): Promise<KnownAccount>
  /** Throws `wrong_code` unless it is one of theirs and `use` could use it up. */
  checkCode(holder: Holder, code: string, use: (proof: CodeProof) => Promise<boolean>): Promise<void>
}

export const createConfirmations = ({ store, clock, hasher, readCode }: ConfirmationRooms): Confirmations => {
  const limit = createAttemptLimit(attempts, clock)

  /** Counted for the session: whoever stole one cannot guess on, and cannot take the owner's tries away. */
  const checkPassword: Confirmations['checkPassword'] = async ({ accountId, sessionId }, password, param) => {
    limit.take(sessionId)
    const known = await store.accounts.find(accountId)
    const isRight = await hasher.verify(password, known?.passwordHash ?? null)
    if (!isRight || known === null) throw ApiError.of('wrong_password', {}, { param })
    limit.forget(sessionId)
    return known
  }
  const checkCode: Confirmations['checkCode'] = async ({ accountId, sessionId }, code, use) => {
    limit.take(sessionId)
    const proof = await readCode(accountId, code)
    if (proof === null || !(await use(proof))) throw wrongCode()
    limit.forget(sessionId)
  }
  return {
    requireFresh({ confirmedAt }) {
      if (clock.now() - confirmedAt >= freshMs) throw ApiError.of('confirmation_needed', {})
    },
    async byPassword(holder, password) {
      await checkPassword(holder, password, 'password')
      await store.sessions.confirm(holder.sessionId, clock.now(), false)
    },
    async byCode(holder, code) {
      await checkCode(holder, code, (proof) => store.secondFactors.use(holder.accountId, proof))
      await store.sessions.confirm(holder.sessionId, clock.now(), true)
    },
    checkPassword,
    checkCode,
  }
}

export const wrongCode = (): ApiError => ApiError.of('wrong_code', {}, { param: 'code' })
