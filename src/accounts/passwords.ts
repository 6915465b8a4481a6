import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Store } from '../store/contract.ts'
import { checkPassword } from './check-password.ts'
import type { Confirmations, Holder } from './confirmations.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { Entrance, Entry } from './second-factor/second-step.ts'
import { hashToken, mintToken } from './secret-token.ts'
import type { Visitor } from './sessions.ts'

type PasswordRooms = {
  store: Pick<Store, 'accounts' | 'links'>
  clock: Clock
  hasher: PasswordHasher
  confirmations: Confirmations
  entrance: Entrance
  onKeysRemoved(keyIds: readonly string[]): void
}

export interface Passwords {
  /** Resolves to the new token of this session; all others are over. `current` is null for who has none yet. */
  change(holder: Holder, current: string | null, next: string): Promise<string>
  /** A second factor is still asked for: the link stands for the password and for no more. */
  reset(token: string, password: string, visitor: Visitor): Promise<Entry>
  /** The account with all that is only its own. Without the password: by another proof that is fresh. */
  removeAccount(holder: Holder & { hasSecondFactor: boolean }, password: string | null): Promise<void>
}

/** What only somebody may do who knows the password, or was sent a link in its place. */
export const createPasswords = (rooms: PasswordRooms): Passwords => {
  const { store, clock, hasher, confirmations, entrance } = rooms
  return {
    async change(holder, current, next) {
      const { account } = (await store.accounts.find(holder.accountId)) ?? {}
      checkPassword(next, account?.email.toLowerCase() ?? '', 'newPassword')
      if (account?.hasPassword === false) confirmations.requireFresh(holder)
      else await confirmations.checkPassword(holder, current ?? '', 'currentPassword')
      const token = mintToken()
      const changed = await store.accounts.changePassword(holder.sessionId, await hasher.hash(next), hashToken(token))
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
      if ((await store.accounts.resetPassword(linkHash, passwordHash, clock.now())) === null) throw invalidLink()
      const entry = await entrance.enter(known, { kind: 'password', hash: passwordHash }, visitor)
      if (entry === null) throw ApiError.of('not_signed_in', {})
      return entry
    },
    async removeAccount(holder, password) {
      const { account } = (await store.accounts.find(holder.accountId)) ?? {}
      // A password that was typed a while ago, at the sign-in, is not enough for something that cannot be undone.
      const needsPassword = account?.hasPassword === true && !holder.hasSecondFactor
      if (password === null && !needsPassword) confirmations.requireFresh(holder)
      else await confirmations.checkPassword(holder, password ?? '', 'password')
      const next = { id: newId('org'), name: 'Default', createdAt: clock.now() }
      const removed = await store.accounts.remove(holder.accountId, next)
      if (removed.outcome === 'last_owner') throw ApiError.of('last_owner', {})
      if (removed.outcome === 'deleted') rooms.onKeysRemoved(removed.keyIds)
    },
  }
}

const invalidLink = (): ApiError => ApiError.of('invalid_link', {}, { param: 'token' })
