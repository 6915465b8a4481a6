import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { AccountRecord, KnownAccount, OpenSession, SessionRecord } from '../../store/account-contract.ts'
import type { OrganisationRecord, Store } from '../../store/contract.ts'
import type { SignInProof } from '../../store/sign-in-contract.ts'
import { accountEvent } from '../account-event.ts'
import { type Actor, auditActorOf } from '../actor.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'

/** The browser at the other end, with the cookies it brought. */
export type Visitor = {
  address: string
  userAgent: string
  sessionToken: string | null
  visitToken: string | null
}

/** The token is the secret of the session: it goes into the cookie and nowhere else. */
export type SignedIn = {
  token: string
  account: AccountRecord
  organisation: OrganisationRecord
}

/** How somebody proved who they are. */
export type SignInWay = 'password' | 'sign_up' | 'password_reset' | 'passkey' | 'provider'

export const sessionLifeMs = 30 * 24 * 3_600_000
/** How long a session is used before its end is moved on: most requests then write nothing. */
const touchAfterMs = 5 * 60_000
const maxUserAgentLength = 300

export interface Sessions {
  /** In place of the session the browser had, if any. Null when the proof does not hold any more. */
  open(known: KnownAccount, proof: SignInProof, visitor: Visitor, way: SignInWay): Promise<SignedIn | null>
  /** `renewed`: its end was moved on, and the cookie's should be too. Null when there is no such session any more. */
  find(token: string, address: string): Promise<(OpenSession & { renewed: boolean }) | null>
  list(accountId: string): Promise<SessionRecord[]>
  /** False when the account has no such session. Their own: they sign out. */
  end(by: Actor, sessionId: string): Promise<boolean>
}

export const createSessions = ({ store, clock }: { store: Pick<Store, 'sessions'>; clock: Clock }): Sessions => ({
  async open({ account, organisation }, proof, visitor, way) {
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
    const event = accountEvent('account.signed_in', { accountId: account.id, address: visitor.address }, now, { way })
    const replaced = visitor.sessionToken === null ? null : hashToken(visitor.sessionToken)
    const opened = await store.sessions.open(record, hashToken(token), proof, replaced, event)
    return opened ? { token, account, organisation } : null
  },
  async find(token, address) {
    const open = await store.sessions.find(hashToken(token))
    const now = clock.now()
    if (open === null || now >= open.session.expiresAt) return null
    const renewed = now - open.session.lastSeenAt >= touchAfterMs
    // Nobody waits for this, and one that fails is made up for by the next.
    if (renewed) store.sessions.touch(open.session.id, { now, expiresAt: now + sessionLifeMs, address }).catch(() => {})
    return { ...open, renewed }
  },
  list: (accountId) => store.sessions.list(accountId, clock.now()),
  end: (by, sessionId) =>
    store.sessions.remove(by.accountId, sessionId, {
      at: clock.now(),
      organisationId: null,
      actor: auditActorOf(by),
      action: sessionId === by.sessionId ? 'account.signed_out' : 'session.ended',
      target: sessionId === by.sessionId ? null : { kind: 'session', id: sessionId, name: null },
      details: {},
    }),
})
