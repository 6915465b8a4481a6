import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { KnownPassword } from '../store/account-contract.ts'
import type { Store } from '../store/contract.ts'
import { accountEvent } from './account-event.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import { checkPassword } from './check-password.ts'
import type { Doer } from './doer.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { hashToken, mintToken } from './secret-token.ts'
import type { Sessions, SignedIn, Visitor } from './sessions.ts'

type PasswordRooms = {
  store: Pick<Store, 'accounts' | 'links'>
  clock: Clock
  hasher: PasswordHasher
  sessions: Sessions
  onKeysRemoved(keyIds: readonly string[]): void
}

export interface Passwords {
  /** Resolves to the new token of this session; all others are over. */
  change(by: Doer, current: string, next: string): Promise<string>
  reset(token: string, password: string, visitor: Visitor): Promise<SignedIn>
  /** The account with all that is only its own. */
  removeAccount(by: Doer, password: string): Promise<void>
}

const attempts = { most: 10, perMs: 15 * 60_000 }

/** What only somebody may do who knows the password, or was sent a link in its place. */
export const createPasswords = (rooms: PasswordRooms): Passwords => {
  const { store, clock, hasher, sessions } = rooms
  const limit = createAttemptLimit(attempts, clock)

  /** Counted for the session: whoever stole one cannot guess on, and cannot take the owner's tries away. */
  const confirm = async ({ accountId, sessionId }: Doer, password: string, param: string): Promise<KnownPassword> => {
    limit.take(sessionId)
    const known = await store.accounts.find(accountId)
    const isRight = await hasher.verify(password, known?.passwordHash ?? null)
    if (!isRight || known === null) throw ApiError.of('wrong_password', {}, { param })
    limit.forget(sessionId)
    return known
  }

  return {
    async change(by, current, next) {
      const { account } = (await store.accounts.find(by.accountId)) ?? {}
      checkPassword(next, account?.email.toLowerCase() ?? '', 'newPassword')
      await confirm(by, current, 'currentPassword')
      const token = mintToken()
      const passwordHash = await hasher.hash(next)
      const event = accountEvent('account.password_changed', by, clock.now())
      const changed = await store.accounts.changePassword(by.sessionId, passwordHash, hashToken(token), event)
      if (!changed) throw ApiError.of('not_signed_in', {})
      return token
    },
    async reset(token, password, visitor) {
      const linkHash = hashToken(token)
      const link = await store.links.find('password_reset', linkHash, clock.now())
      const known = link === null || link.accountId === null ? null : await store.accounts.find(link.accountId)
      if (known === null) throw invalidLink()
      checkPassword(password, known.account.email.toLowerCase(), 'password')
      const passwordHash = await hasher.hash(password)
      const now = clock.now()
      const event = accountEvent('account.password_reset', { ...visitor, accountId: known.account.id }, now)
      if ((await store.accounts.resetPassword(linkHash, passwordHash, now, event)) === null) throw invalidLink()
      const signedIn = await sessions.open({ ...known, passwordHash }, visitor, 'password_reset')
      if (signedIn === null) throw ApiError.of('not_signed_in', {})
      return signedIn
    },
    async removeAccount(by, password) {
      await confirm(by, password, 'password')
      const next = { id: newId('org'), name: 'Default', createdAt: clock.now() }
      // Not even from where: nothing of them is kept but that they were here.
      const event = accountEvent('account.deleted', by, clock.now())
      const removed = await store.accounts.remove(by.accountId, next, {
        ...event,
        actor: { ...event.actor, address: null },
      })
      if (removed.outcome === 'last_owner' || removed.outcome === 'last_organisation_owner')
        throw ApiError.of(removed.outcome, {})
      if (removed.outcome === 'deleted') rooms.onKeysRemoved(removed.keyIds)
    },
  }
}

const invalidLink = (): ApiError => ApiError.of('invalid_link', {}, { param: 'token' })
