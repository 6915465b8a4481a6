import type { Invitations } from '../../accounts/teams/invitations.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Member, Person } from '../../http/route.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import { actorOf, memberActorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { language } from '../session/sign-up.ts'
import { role } from './members.ts'
import { invitationJson } from './organisation-json.ts'

type Handle = (exchange: Exchange, member: Member) => Promise<void>

/** `GET /platform/organisation/invitations` */
export const createListInvitations =
  (invitations: Invitations): Handle =>
  async (exchange, { organisationId }) =>
    sendJson(exchange, 200, { data: (await invitations.list(organisationId)).map(invitationJson) })

const inviteBody = object({
  role,
  email: optional(nullable(string())),
  send: oneOf('link', 'mail'),
  language: optional(language),
})

/** `POST /platform/organisation/invitations`: `url` is in this answer and in no other, and not even here if it was mailed. */
export const createInvite =
  (invitations: Invitations, pageUrl: (exchange: Exchange) => string): Handle =>
  async (exchange, member) => {
    const { role, email = null, send, language = 'en' } = await readJson(exchange, bodyLimitBytes, inviteBody)
    const mailIn = send === 'mail' ? language : null
    const made = await invitations.create(memberActorOf(exchange, member), { role, email, mailIn })
    const url = made.path === null ? null : pageUrl(exchange) + made.path
    sendJson(exchange, 201, { id: made.invitation.id, expiresAt: made.invitation.expiresAt, url })
  }

/** `POST /platform/organisation/invitations/{invitation}/withdraw` */
export const createWithdrawInvitation =
  (invitations: Invitations): Handle =>
  async (exchange, member) => {
    await invitations.withdraw(memberActorOf(exchange, member), exchange.params.invitation ?? '')
    sendNothing(exchange)
  }

const tokenBody = object({ token: string() })

/** `POST /platform/invitations/look`: what an invitation is to, for whoever has it. */
export const createLookAtInvitation =
  (invitations: Invitations) =>
  async (exchange: Exchange): Promise<void> => {
    const { token } = await readJson(exchange, bodyLimitBytes, tokenBody)
    const { organisationName, role, inviterEmail, email, expiresAt } = await invitations.find(token)
    sendJson(exchange, 200, { organisation: organisationName, role, invitedBy: inviterEmail, email, expiresAt })
  }

/** `POST /platform/invitations/accept`: the session goes on for the organisation. */
export const createAcceptInvitation =
  (invitations: Invitations) =>
  async (exchange: Exchange, person: Person): Promise<void> => {
    const { token } = await readJson(exchange, bodyLimitBytes, tokenBody)
    const { organisationId } = await invitations.accept(actorOf(exchange, person), token)
    sendJson(exchange, 200, { organisation: organisationId })
  }
