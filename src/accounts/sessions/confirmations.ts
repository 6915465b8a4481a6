import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { KnownAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { CodeProof } from '../../store/sign-in-proof.ts'
import type { Actor } from '../actor.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { CodeReader } from '../second-factor/code-reader.ts'

/** A signed-in user, with what was proved in this session and when. */
export type SessionActor = Actor & { hasSecondFactor: boolean; confirmedAt: number }

/** Changing how an account can be signed in to requires a confirmation of identity no older than this. */
const freshMs = 10 * 60_000
const attempts = { max: 10, perMs: 15 * 60_000 }
/** Each costs a hash. Only somebody who knows the password can consume them. */
const successes = { max: 30, perMs: 15 * 60_000 }

type ConfirmationsDependencies = {
  store: Pick<Store, 'accounts' | 'sessions' | 'secondFactors'>
  clock: Clock
  hasher: PasswordHasher
  readCode: CodeReader
  createLimit: CreateAttemptLimit
}

export interface Confirmations {
  /** Throws `confirmation_needed`: a stolen session alone must not be enough to take over the account. */
  requireFresh(by: SessionActor): void
  byPassword(by: SessionActor, password: string): Promise<void>
  byCode(by: SessionActor, code: string): Promise<void>
  /** Throws `wrong_password` unless it is the account's. */
  checkPassword(by: SessionActor, password: string, param: string): Promise<KnownAccount>
  /** Throws `wrong_code` unless it is one of the account's codes and `use` could use it up. */
  checkCode(by: SessionActor, code: string, use: (proof: CodeProof) => Promise<boolean>): Promise<void>
}

export const createConfirmations = (dependencies: ConfirmationsDependencies): Confirmations => {
  const { store, clock, hasher, readCode, createLimit } = dependencies
  // Counted per session: a thief's guesses are limited and do not consume the owner's attempts.
  const limit = createLimit('confirmation', attempts)
  // Counted per account, however many sessions it has.
  const accepted = createLimit('confirmation-success', successes)

  const checkPassword: Confirmations['checkPassword'] = async ({ accountId, sessionId }, password, param) => {
    await accepted.consume(accountId)
    let isAccepted = false
    try {
      await limit.consume(sessionId)
      const known = await store.accounts.find(accountId)
      isAccepted = await hasher.verify(password, known?.passwordHash ?? null)
      if (!isAccepted || known === null) throw ApiError.of('wrong_password', {}, { param })
      await limit.reset(sessionId)
      return known
    } finally {
      if (!isAccepted) await accepted.refund(accountId)
    }
  }
  const checkCode: Confirmations['checkCode'] = async ({ accountId, sessionId }, code, use) => {
    await limit.consume(sessionId)
    const proof = await readCode(accountId, code)
    if (proof === null || !(await use(proof))) throw wrongCode()
    await limit.reset(sessionId)
  }
  return {
    requireFresh({ confirmedAt }) {
      if (clock.now() - confirmedAt >= freshMs) throw ApiError.of('confirmation_needed', {})
    },
    async byPassword(by, password) {
      await checkPassword(by, password, 'password')
      await store.sessions.confirm(by.sessionId, clock.now(), false)
    },
    async byCode(by, code) {
      await checkCode(by, code, (proof) => store.secondFactors.use(by.accountId, proof))
      await store.sessions.confirm(by.sessionId, clock.now(), true)
    },
    checkPassword,
    checkCode,
  }
}

export const wrongCode = (): ApiError => ApiError.of('wrong_code', {}, { param: 'code' })
