import type { Accounts } from '../../accounts/accounts.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { organisationOperations } from '../contract/organisation.ts'
import { createActor, createMemberActor } from '../create-actor.ts'
import { memberJson, ownOrganisationJson } from './organisation-json.ts'

/** The organisations of a person, and the one that the session is for. */
export const createOrganisationRoutes = ({
  teams,
  organisationRule,
}: Pick<Accounts, 'teams' | 'organisationRule'>): Route[] => [
  createRoute(organisationOperations.listOrganisations, async ({ caller }) => ({
    data: (await teams.organisations(caller.accountId)).map(ownOrganisationJson),
  })),
  createRoute(organisationOperations.createOrganisation, async ({ exchange, caller, body }) => {
    const created = await teams.create(createActor(exchange, caller), body.name)
    return ownOrganisationJson({ ...created, role: 'owner', members: 1, suspendedAt: null })
  }),
  createRoute(organisationOperations.switchOrganisation, ({ exchange, caller, params }) =>
    teams.switchTo(createActor(exchange, caller), params.organisation),
  ),

  createRoute(organisationOperations.renameOrganisation, ({ exchange, caller, body }) =>
    teams.rename(createMemberActor(exchange, caller), body.name, body.was),
  ),
  createRoute(organisationOperations.leaveOrganisation, ({ exchange, caller }) =>
    teams.leave(createMemberActor(exchange, caller)),
  ),
  createRoute(organisationOperations.transferOwnership, ({ exchange, caller, body }) =>
    teams.handOver(createMemberActor(exchange, caller), body.accountId),
  ),
  createRoute(organisationOperations.deleteOrganisation, ({ exchange, caller, body }) =>
    teams.remove(createMemberActor(exchange, caller), body.name),
  ),
  createRoute(organisationOperations.showRules, ({ caller }) => organisationRule.find(caller.organisationId)),
  createRoute(organisationOperations.changeRules, ({ exchange, caller, body }) => {
    const by = { ...createMemberActor(exchange, caller), hasSecondFactor: caller.hasSecondFactor }
    return organisationRule.change(by, body.secondFactorRequired)
  }),

  createRoute(organisationOperations.listMembers, async ({ caller }) => ({
    data: (await teams.members(caller.organisationId)).map(memberJson),
  })),
  createRoute(organisationOperations.changeRole, ({ exchange, caller, params, body }) =>
    teams.changeRole(createMemberActor(exchange, caller), params.account, body.role, body.was),
  ),
  createRoute(organisationOperations.removeMember, ({ exchange, caller, params, body }) =>
    teams.removeMember(createMemberActor(exchange, caller), params.account, body.revokeKeys),
  ),
]
