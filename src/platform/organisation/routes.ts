import type { Accounts } from '../../accounts/accounts.ts'
import { abilities } from '../../accounts/teams/roles.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Route } from '../../http/route.ts'
import { needs } from '../needs.ts'
import {
  createAcceptInvitation,
  createInvite,
  createListInvitations,
  createLookAtInvitation,
  createWithdrawInvitation,
} from './invitations.ts'
import { createChangeRole, createHandOver, createLeave, createListMembers, createRemoveMember } from './members.ts'
import {
  createCreateOrganisation,
  createDeleteOrganisation,
  createListOrganisations,
  createRenameOrganisation,
  createSwitchOrganisation,
} from './organisations.ts'

const all = '/platform/organisations'
const own = '/platform/organisation'
const members = `${own}/members`
const invited = `${own}/invitations`

type PageUrl = (exchange: Exchange) => string

/** Organisations, their members, and who is invited. `organisation` is the one that somebody acts for. */
export const createOrganisationRoutes = ({ teams, invitations }: Accounts, pageUrl: PageUrl): Route[] => {
  const { see, leave, manageMembers, changeOrganisation, handOver } = abilities
  return [
    { method: 'GET', path: all, access: 'session', handle: createListOrganisations(teams) },
    { method: 'POST', path: all, access: 'session', handle: createCreateOrganisation(teams) },
    {
      method: 'POST',
      path: `${all}/{organisation}/switch`,
      access: 'session',
      handle: createSwitchOrganisation(teams),
    },

    { method: 'POST', path: `${own}/rename`, ...needs(changeOrganisation), handle: createRenameOrganisation(teams) },
    { method: 'POST', path: `${own}/leave`, ...needs(leave), handle: createLeave(teams) },
    { method: 'POST', path: `${own}/hand-over`, ...needs(handOver), handle: createHandOver(teams) },
    { method: 'POST', path: `${own}/delete`, ...needs(handOver), handle: createDeleteOrganisation(teams) },

    { method: 'GET', path: members, ...needs(see), handle: createListMembers(teams) },
    // Everybody may step down: how far a role reaches is decided with the change.
    { method: 'POST', path: `${members}/{account}/role`, ...needs(leave), handle: createChangeRole(teams) },
    { method: 'POST', path: `${members}/{account}/remove`, ...needs(manageMembers), handle: createRemoveMember(teams) },

    { method: 'GET', path: invited, ...needs(manageMembers), handle: createListInvitations(invitations) },
    { method: 'POST', path: invited, ...needs(manageMembers), handle: createInvite(invitations, pageUrl) },
    {
      method: 'POST',
      path: `${invited}/{invitation}/withdraw`,
      ...needs(manageMembers),
      handle: createWithdrawInvitation(invitations),
    },
    {
      method: 'POST',
      path: '/platform/invitations/look',
      access: 'visitor',
      handle: createLookAtInvitation(invitations),
    },
    {
      method: 'POST',
      path: '/platform/invitations/accept',
      access: 'session',
      handle: createAcceptInvitation(invitations),
    },
  ]
}
