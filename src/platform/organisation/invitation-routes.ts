import type { Invitations } from '../../accounts/teams/invitations.ts'
import type { Exchange } from '../../http/exchange.ts'
import { defaultLanguage } from '../../languages/languages.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { organisationOperations } from '../contract/organisation.ts'
import { createActor, createMemberActor } from '../create-actor.ts'
import { invitationJson } from './organisation-json.ts'

export const createInvitationRoutes = (invitations: Invitations, pageUrl: (exchange: Exchange) => string): Route[] => [
  createRoute(organisationOperations.listInvitations, async ({ caller }) => ({
    data: (await invitations.list(caller.organisationId)).map(invitationJson),
  })),
  createRoute(organisationOperations.invite, async ({ exchange, caller, body }) => {
    const { role, email = null, send, language = defaultLanguage } = body
    const mailIn = send === 'mail' ? language : null
    const { invitation, path } = await invitations.create(createMemberActor(exchange, caller), { role, email, mailIn })
    const url = path === null ? null : pageUrl(exchange) + path
    return { id: invitation.id, expiresAt: invitation.expiresAt, url }
  }),
  createRoute(organisationOperations.withdrawInvitation, ({ exchange, caller, params }) =>
    invitations.withdraw(createMemberActor(exchange, caller), params.invitation),
  ),
  createRoute(organisationOperations.showInvitation, async ({ body }) => {
    const { organisationName, role, inviterEmail, email, expiresAt } = await invitations.find(body.token)
    return { organisationName, role, invitedBy: inviterEmail, email, expiresAt }
  }),
  createRoute(organisationOperations.acceptInvitation, async ({ exchange, caller, body }) => {
    const { organisationId } = await invitations.accept(createActor(exchange, caller), body.token)
    return { organisationId }
  }),
]
