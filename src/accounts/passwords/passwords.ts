import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Store } from '../../store/contract.ts'
import { accountEvent } from '../account-event.ts'
import type { Removed } from '../removed.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import type { Confirmations, Holder } from '../sessions/confirmations.ts'
import type { Visitor } from '../sessions/sessions.ts'
import type { Entrance, Entry } from '../sign-in/sign-in-steps.ts'
import { checkPassword } from './check-password.ts'
import type { PasswordHasher } from './password-hasher.ts'

type PasswordRooms = {
  store: Pick<Store, 'accounts' | 'links'>
  clock: Clock
  hasher: PasswordHasher
  confirmations: Confirmations
  entrance: Entrance
  onRemoved(removed: Removed): void
}

export interface Passwords {
  /** Resolves to the new token of this session; all others are over. `current` is null for who has none yet. */
  change(by: Holder, current: string | null, next: string): Promise<string>
  /** A second factor is still asked for: the link stands for the password and for no more. */
  reset(token: string, password: string, visitor: Visitor): Promise<Entry>
  /** The account with all that is only its own. Without the password: by another proof that is fresh. */
  removeAccount(by: Holder, password: string | null): Promise<void>
}

/** What only somebody may do who knows the password, or was sent a link in its place. */
export const createPasswords = (rooms: PasswordRooms): Passwords => {
  const { store, clock, hasher, confirmations, entrance } = rooms
  return {
    async change(by, current, next) {
      const { account } = (await store.accounts.find(by.accountId)) ?? {}
      checkPassword(next, account?.email.toLowerCase() ?? '', 'newPassword')
      if (account?.hasPassword === false) confirmations.requireFresh(by)
      else await confirmations.checkPassword(by, current ?? '', 'currentPassword')
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
      const entry = await entrance.enter(known, { kind: 'password', hash: passwordHash }, visitor, 'password_reset')
      if (entry === null) throw ApiError.of('not_signed_in', {})
      return entry
    },
    async removeAccount(by, password) {
      const { account } = (await store.accounts.find(by.accountId)) ?? {}
      // A password that was typed a while ago, at the sign-in, is not enough for something that cannot be undone.
      const needsPassword = account?.hasPassword === true && !by.hasSecondFactor
      if (password === null && !needsPassword) confirmations.requireFresh(by)
      else await confirmations.checkPassword(by, password ?? '', 'password')
      const next = { id: newId('org'), name: 'Default', createdAt: clock.now() }
      // Not even from where: nothing of them is kept but that they were here.
      const event = accountEvent('account.deleted', by, clock.now())
      const removed = await store.accounts.remove(by.accountId, next, {
        ...event,
        actor: { ...event.actor, address: null },
      })
      if (removed.outcome === 'last_owner' || removed.outcome === 'last_organisation_owner')
        throw ApiError.of(removed.outcome, {})
      if (removed.outcome === 'deleted')
        rooms.onRemoved({ keyIds: removed.keyIds, accountId: by.accountId, organisationId: null })
    },
  }
}

const invalidLink = (): ApiError => ApiError.of('invalid_link', {}, { param: 'token' })
