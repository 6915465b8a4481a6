import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Store } from '../../store/contract.ts'
import { accountEvent } from '../audit-event.ts'
import { invalidLink } from '../email/one-time-links.ts'
import type { Removed } from '../removed.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import type { Confirmations, SessionActor } from '../sessions/confirmations.ts'
import type { Visitor } from '../sessions/sessions.ts'
import type { SignInResult, SignInSteps } from '../sign-in/sign-in-steps.ts'
import { checkPassword } from './check-password.ts'
import type { PasswordHasher } from './password-hasher.ts'

type PasswordsDependencies = {
  store: Pick<Store, 'accounts' | 'links'>
  clock: Clock
  hasher: PasswordHasher
  confirmations: Pick<Confirmations, 'checkPassword' | 'requireFresh'>
  signInSteps: Pick<SignInSteps, 'afterFirstProof'>
  onRemoved(removed: Removed): void
}

/** What requires the password, or a link in place of it. */
export const createPasswords = (dependencies: PasswordsDependencies) => {
  const { store, clock, hasher, confirmations, signInSteps, onRemoved } = dependencies
  return {
    /** Resolves to this session's new token; all other sessions end. `current` is null where there is no password yet. */
    async change(by: SessionActor, current: string | null, next: string): Promise<string> {
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
    /** The link replaces the password only: a second factor is still required. */
    async reset(token: string, password: string, visitor: Visitor): Promise<SignInResult> {
      const linkHash = hashToken(token)
      const link = await store.links.find('password_reset', linkHash, clock.now())
      const known = link === null || link.accountId === null ? null : await store.accounts.find(link.accountId)
      if (known === null) throw invalidLink()
      checkPassword(password, known.account.email.toLowerCase(), 'password')
      const passwordHash = await hasher.hash(password)
      const now = clock.now()
      const event = accountEvent('account.password_reset', { ...visitor, accountId: known.account.id }, now)
      if ((await store.accounts.resetPassword(linkHash, passwordHash, now, event)) === null) throw invalidLink()
      const proof = { kind: 'password', hash: passwordHash } as const
      const result = await signInSteps.afterFirstProof(known, proof, visitor, 'password_reset')
      if (result === null) throw ApiError.of('not_signed_in', {})
      return result
    },
    /** Deletes the account and everything that belongs to it alone. Without a password another recent confirmation is needed. */
    async removeAccount(by: SessionActor, password: string | null): Promise<void> {
      const { account } = (await store.accounts.find(by.accountId)) ?? {}
      // Deletion cannot be undone, so a password entered earlier, at sign-in, is not enough.
      const needsPassword = account?.hasPassword === true && !by.hasSecondFactor
      if (password === null && !needsPassword) confirmations.requireFresh(by)
      else await confirmations.checkPassword(by, password ?? '', 'password')
      const next = { id: newId('org'), name: 'Default', createdAt: clock.now() }
      // Without the address: the audit keeps only that the account existed.
      const event = accountEvent('account.deleted', by, clock.now())
      const removed = await store.accounts.remove(by.accountId, next, {
        ...event,
        actor: { ...event.actor, address: null },
      })
      if (removed.outcome === 'last_owner' || removed.outcome === 'last_organisation_owner')
        throw ApiError.of(removed.outcome, {})
      if (removed.outcome === 'deleted')
        onRemoved({ keyIds: removed.keyIds, accountId: by.accountId, organisationId: null })
    },
  }
}
