import { newId } from '../../src/base/ids.ts'
import type { NewAccount, SessionRecord } from '../../src/store/account-contract.ts'
import type { AuditAction } from '../../src/store/audit-actions.ts'
import type { AuditEvent } from '../../src/store/audit-contract.ts'
import type { Store } from '../../src/store/contract.ts'

/** 32 bytes, different for each text. */
export const hashOf = (text: string): Uint8Array => Buffer.from(text.padEnd(32))

export const accountOf = (emailKey: string): NewAccount => ({
  id: newId('usr'),
  email: emailKey,
  emailKey,
  emailSpellings: [emailKey],
  language: 'en',
  createdAt: 1_000,
  passwordHash: 'first hash',
  organisationName: 'Their own',
})

export const byPassword = {
  first: { kind: 'password', hash: 'first hash' },
  second: null,
  challengeHash: null,
} as const

export const sessionOf = async (
  store: Store,
  accountId: string,
  changes: Partial<SessionRecord> = {},
): Promise<SessionRecord> => ({
  id: newId('ses'),
  accountId,
  organisationId: (await store.accounts.find(accountId))?.organisation.id ?? '',
  createdAt: 1_000,
  lastSeenAt: 1_000,
  expiresAt: 9_000,
  address: '192.0.2.1',
  hasSecondFactor: false,
  confirmedAt: 0,
  userAgent: 'test',
  ...changes,
})

export const eventOf = (action: AuditAction, changes: Partial<AuditEvent> = {}): AuditEvent => ({
  at: 1_000,
  organisationId: null,
  actor: { kind: 'server', id: null, name: null, address: null },
  action,
  target: null,
  details: {},
  ...changes,
})

/** The owner of the server, in the first organisation. */
export const claimServer = async (store: Store): Promise<NewAccount> => {
  const owner = accountOf('owner@example.com')
  await store.links.replaceSetup(hashOf('setup'), 1_000)
  const outcome = await store.accounts.claim(hashOf('setup'), owner)
  if (outcome !== 'claimed') throw new Error(outcome)
  return owner
}

/** An account with an organisation of its own, on a server that has an owner. */
export const signUp = async (store: Store, emailKey: string): Promise<{ id: string; organisationId: string }> => {
  const [account, organisationId] = [accountOf(emailKey), newId('org')]
  const outcome = await store.accounts.create(account, organisationId, null)
  if (outcome !== 'created') throw new Error(outcome)
  return { id: account.id, organisationId }
}

/** The account joins by an invitation of an owner. */
export const joinTeam = async (
  store: Store,
  by: { organisationId: string; accountId: string },
  accountId: string,
  role: 'viewer' | 'member' | 'admin' | 'owner',
): Promise<void> => {
  const id = newId('inv')
  const record = {
    ...{ id, organisationId: by.organisationId, role, email: null, invitedBy: by.accountId },
    ...{ createdAt: 1_000, expiresAt: 9_000, acceptedAt: null, withdrawnAt: null },
  }
  await store.invitations.insert(by, record, hashOf(id), 1_000, eventOf('invitation.made'))
  const joining = { accountId, sessionId: 'ses_none', now: 1_000 }
  const { outcome } = await store.invitations.accept(hashOf(id), joining, eventOf('member.joined'))
  if (outcome !== 'accepted') throw new Error(outcome)
}
