import type { LanguageCode } from '../../../languages/language.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { AuditEvent } from '../../store/audit-contract.ts'
import type { Store } from '../../store/contract.ts'
import { invitationEnd } from '../../store/invitation-end.ts'
import type { InvitationEnd, InvitationRecord, Role, ShownInvitation } from '../../store/team-contract.ts'
import { type Actor, type MemberActor, toAuditActor } from '../actor.ts'
import { accountTarget, auditEvent, memberEvent } from '../audit-event.ts'
import type { AccountMail } from '../email/account-mail.ts'
import { checkEmail } from '../email/check-email.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'

type InvitationsDependencies = {
  store: Pick<Store, 'invitations'>
  clock: Clock
  mail: Pick<AccountMail, 'requireInvitationMail' | 'invite'>
}

/** To the server, from its owner; or to an existing organisation. */
export type SentInvitation = { to: 'server' | 'organisation'; token: string }

type NewInvitation = {
  role: Role
  /** The recipient; required if it is sent by mail. */
  email: string | null
  /** The language of the mail; null if the link is passed on in another way. */
  mailIn: LanguageCode | null
}

/** Invitations to an organisation. Anybody who has the link can use it, once. */
export interface Invitations {
  /** `path` is relative to the address of the site; null if it was sent by mail. */
  create(by: MemberActor, invitation: NewInvitation): Promise<{ invitation: InvitationRecord; path: string | null }>
  list(organisationId: string): ReturnType<Store['invitations']['list']>
  withdraw(by: MemberActor, id: string): Promise<void>
  /** Does not use it up. */
  find(token: string): Promise<ShownInvitation>
  accept(by: Actor, token: string): Promise<{ organisationId: string }>
}

const dayMs = 24 * 3_600_000
const lifeMs = 7 * dayMs
/** How long an invitation that ended is still listed. */
const listedMs = 7 * dayMs
const maxOpen = 100

export const createInvitations = ({ store, clock, mail }: InvitationsDependencies): Invitations => {
  const { invitations } = store
  return {
    async create(by, { role, email: text, mailIn }) {
      const email = text === null ? null : checkEmail(text).email
      if (mailIn !== null && email === null) throw ApiError.of('invalid_email', {}, { param: 'email' })
      if (mailIn !== null) await mail.requireInvitationMail(by.accountId)
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
      const target = { kind: 'invitation', id: invitation.id, name: email } as const
      const event = memberEvent('invitation.made', by, createdAt, target, { role, byMail: mailIn !== null })
      const result = await invitations.insert(by, invitation, hashToken(token), maxOpen, event)
      if (result.outcome === 'role_too_low') throw ApiError.of('role_too_low', { role: result.needed })
      if (result.outcome === 'too_many') throw ApiError.of('too_many_invitations', { limit: maxOpen })
      const path = `/invitation#${token}`
      if (mailIn === null || email === null) return { invitation, path }
      const shown = await invitations.find(hashToken(token))
      if (shown !== null) mail.invite(email, mailIn, { path, ...shown })
      return { invitation, path: null }
    },
    list: (organisationId) => invitations.list(organisationId, clock.now() - listedMs),
    async withdraw(by, id) {
      const event = memberEvent('invitation.withdrawn', by, clock.now(), { kind: 'invitation', id, name: null })
      if (!(await invitations.withdraw(by.organisationId, id, clock.now(), event)))
        throw ApiError.of('invitation_not_found', { id: id.slice(0, 64) })
    },
    async find(token) {
      const found = await invitations.find(hashToken(token))
      const end = found === null ? 'unknown' : invitationEnd(found, clock.now())
      if (found === null || end !== null) throw invitationError(end ?? 'unknown')
      return found
    },
    async accept(by, token) {
      const hash = hashToken(token)
      const now = clock.now()
      const found = await invitations.find(hash)
      const { accountId, sessionId } = by
      const result = await invitations.accept(hash, { accountId, sessionId, now }, joinedEvent(by, found, now))
      if (result.outcome === 'already_member') throw ApiError.of('already_member', {})
      if (result.outcome !== 'accepted') throw invitationError(result.outcome)
      return { organisationId: result.organisationId }
    },
  }
}

/** For the audit of the organisation that the account joined. */
export const joinedEvent = (
  by: Pick<Actor, 'accountId' | 'address'>,
  invitation: ShownInvitation | null,
  at: number,
): AuditEvent =>
  auditEvent('member.joined', toAuditActor(by), at, {
    organisationId: invitation?.organisationId ?? null,
    target: accountTarget(by.accountId),
    details: { role: invitation?.role ?? null, invitation: invitation?.id ?? null },
  })

export const invitationError = (end: InvitationEnd): ApiError => {
  if (end === 'unknown') return ApiError.of('invalid_link', {}, { param: 'invitation' })
  if (end === 'suspended') return ApiError.of('organisation_suspended', {})
  return ApiError.of(`invitation_${end}`, {})
}
