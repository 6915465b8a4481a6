import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Language } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import { invitationEnd } from '../../store/invitation-end.ts'
import type { InvitationEnd, InvitationRecord, Role, ShownInvitation } from '../../store/team-contract.ts'
import { type Actor, auditActorOf, type MemberActor } from '../actor.ts'
import type { AccountMail } from '../email/account-mail.ts'
import { checkEmail } from '../email/check-email.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'

type InvitationRooms = {
  store: Pick<Store, 'invitations' | 'teams'>
  clock: Clock
  mail: AccountMail
}

type Invite = {
  role: Role
  /** Whom it is for; needed where it goes by mail. */
  email: string | null
  /** The language of the mail; null where the link is handed over by other means. */
  mailIn: Language | null
}

/** Invitations to an organisation. Whoever has the link may use it, once. */
export interface Invitations {
  /** `path` is what stands behind the address of the site; null where it went by mail. */
  make(by: MemberActor, invite: Invite): Promise<{ invitation: InvitationRecord; path: string | null }>
  list(organisationId: string): ReturnType<Store['invitations']['list']>
  withdraw(by: MemberActor, id: string): Promise<void>
  /** What it is to; it is not used up by asking. */
  look(token: string): Promise<ShownInvitation>
  accept(by: Actor, token: string): Promise<{ organisationId: string }>
}

const dayMs = 24 * 3_600_000
const lifeMs = 7 * dayMs
/** How long one that ended is still shown. */
const shownMs = 7 * dayMs
const mostOpen = 100

export const createInvitations = ({ store, clock, mail }: InvitationRooms): Invitations => {
  const { invitations } = store
  return {
    async make(by, { role, email: address, mailIn }) {
      const email = address === null ? null : checkEmail(address).email
      if (mailIn !== null && email === null) throw ApiError.of('invalid_email', {}, { param: 'email' })
      if (mailIn !== null) mail.requireMail(by.accountId)
      const { organisationId, accountId: invitedBy } = by
      const createdAt = clock.now()
      const token = mintToken()
      const invitation: InvitationRecord = {
        id: newId('inv'),
        organisationId,
        role,
        email,
        invitedBy,
        createdAt,
        expiresAt: createdAt + lifeMs,
        acceptedAt: null,
        withdrawnAt: null,
      }
      const done = await invitations.insert(by, invitation, hashToken(token), mostOpen, {
        at: createdAt,
        organisationId,
        actor: auditActorOf(by),
        action: 'invitation.made',
        target: { kind: 'invitation', id: invitation.id, name: email },
        details: { role, byMail: mailIn !== null },
      })
      if (done.outcome === 'role_too_low') throw ApiError.of('role_too_low', { role: done.needed })
      if (done.outcome === 'too_many') throw ApiError.of('too_many_invitations', { limit: mostOpen })
      const path = `/invitation#${token}`
      if (mailIn === null || email === null) return { invitation, path }
      const shown = await invitations.find(hashToken(token))
      if (shown !== null) mail.invite(email, mailIn, { path, ...shown })
      return { invitation, path: null }
    },
    list: (organisationId) => invitations.list(organisationId, clock.now() - shownMs),
    async withdraw(by, id) {
      const withdrawn = await invitations.withdraw(by.organisationId, id, clock.now(), {
        at: clock.now(),
        organisationId: by.organisationId,
        actor: auditActorOf(by),
        action: 'invitation.withdrawn',
        target: { kind: 'invitation', id, name: null },
        details: {},
      })
      if (!withdrawn) throw ApiError.of('invitation_not_found', { id: id.slice(0, 64) })
    },
    async look(token) {
      const found = await invitations.find(hashToken(token))
      const end = found === null ? 'unknown' : invitationEnd(found, clock.now())
      if (found === null || end !== null) throw invitationOver(end ?? 'unknown')
      return found
    },
    async accept(by, token) {
      const hash = hashToken(token)
      const now = clock.now()
      const found = await invitations.find(hash)
      const { accountId, sessionId } = by
      const done = await invitations.accept(hash, { accountId, sessionId, now }, joinedEvent(by, found, now))
      if (done.outcome === 'already_member') throw ApiError.of('already_member', {})
      if (done.outcome !== 'accepted') throw invitationOver(done.outcome)
      return { organisationId: done.organisationId }
    },
  }
}

/** Told in the audit of the organisation, by whoever came. */
export const joinedEvent = (
  by: { accountId: string; address: string },
  invitation: ShownInvitation | null,
  at: number,
) => ({
  at,
  organisationId: invitation?.organisationId ?? null,
  actor: auditActorOf(by),
  action: 'member.joined' as const,
  target: { kind: 'account' as const, id: by.accountId, name: null },
  details: { role: invitation?.role ?? null, invitation: invitation?.id ?? null },
})

/** Each way in which an invitation can be over is said as what it is. */
export const invitationOver = (end: InvitationEnd): ApiError => {
  if (end === 'unknown') return ApiError.of('invalid_link', {}, { param: 'invitation' })
  if (end === 'suspended') return ApiError.of('organisation_suspended', {})
  return ApiError.of(`invitation_${end}`, {})
}
