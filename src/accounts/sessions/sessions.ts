import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { AccountRecord, KnownAccount, OpenSession, SessionRecord } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { OrganisationRecord } from '../../store/organisation-record.ts'
import type { SignInProof } from '../../store/sign-in-proof.ts'
import { type Actor, toAuditActor } from '../actor.ts'
import { accountEvent, auditEvent } from '../audit-event.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'

/** A browser and the cookies it sent. */
export type Visitor = {
  address: string
  userAgent: string
  sessionToken: string | null
  visitToken: string | null
}

/** The token is the session's secret: it goes into the cookie and nowhere else. */
export type SignedIn = {
  token: string
  account: AccountRecord
  organisation: OrganisationRecord
}

export type SignInMethod = 'password' | 'sign_up' | 'password_reset' | 'passkey' | 'provider'

export const sessionLifeMs = 30 * 24 * 3_600_000
/** A session's expiry is extended at most this often, so that most requests write nothing. */
const touchAfterMs = 5 * 60_000
const maxUserAgentLength = 300

export interface Sessions {
  /** Replaces the browser's previous session. Null when the proof is no longer valid. */
  open(known: KnownAccount, proof: SignInProof, visitor: Visitor, method: SignInMethod): Promise<SignedIn | null>
  /** `renewed`: the expiry was extended, and that of the cookie should be too. Null when there is no such session. */
  find(token: string, address: string): Promise<(OpenSession & { renewed: boolean }) | null>
  list(accountId: string): Promise<SessionRecord[]>
  /** False when the account has no such session. Ending the current session signs out. */
  end(by: Actor, sessionId: string): Promise<boolean>
}

type SessionsDependencies = {
  store: Pick<Store, 'sessions'>
  clock: Clock
  onSignedIn(account: AccountRecord, address: string): void
}

export const createSessions = ({ store: { sessions }, clock, onSignedIn }: SessionsDependencies): Sessions => ({
  async open({ account, organisation }, proof, visitor, method) {
    if (account.suspendedAt !== null) throw ApiError.of('account_suspended', {})
    const now = clock.now()
    const token = mintToken()
    const record = {
      id: newId('ses'),
      accountId: account.id,
      organisationId: organisation.id,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + sessionLifeMs,
      address: visitor.address,
      userAgent: visitor.userAgent.slice(0, maxUserAgentLength).toWellFormed(),
      hasSecondFactor: proof.second !== null || proof.first.kind === 'passkey',
      confirmedAt: now,
    }
    const by = { accountId: account.id, address: visitor.address }
    const event = accountEvent('account.signed_in', by, now, { way: method })
    const replaced = visitor.sessionToken === null ? null : hashToken(visitor.sessionToken)
    const opened = await sessions.open(record, hashToken(token), proof, replaced, event)
    if (!opened) return null
    onSignedIn(account, visitor.address)
    return { token, account, organisation }
  },
  async find(token, address) {
    const open = await sessions.find(hashToken(token))
    const now = clock.now()
    if (open === null || now >= open.session.expiresAt) return null
    const renewed = now - open.session.lastSeenAt >= touchAfterMs
    // Not awaited; if it fails, the next request tries again.
    if (renewed) sessions.touch(open.session.id, { now, expiresAt: now + sessionLifeMs, address }).catch(() => {})
    return { ...open, renewed }
  },
  list: (accountId) => sessions.list(accountId, clock.now()),
  end(by, sessionId) {
    const actor = toAuditActor(by)
    const event =
      sessionId === by.sessionId
        ? auditEvent('account.signed_out', actor, clock.now(), {})
        : auditEvent('session.ended', actor, clock.now(), { target: { kind: 'session', id: sessionId, name: null } })
    return sessions.remove(by.accountId, sessionId, event)
  },
})
