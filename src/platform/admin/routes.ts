import type { Accounts } from '../../accounts/accounts.ts'
import { toAuditActor } from '../../accounts/actor.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import type { Person } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { SuspendedThing } from '../../store/suspension-contract.ts'
import { accountJson } from '../account/account-json.ts'
import { serverOperations } from '../contract/server.ts'
import { createActor } from '../create-actor.ts'
import { keyJson } from '../keys/key-json.ts'
import { memberJson } from '../organisation/organisation-json.ts'

type AdminRoutesDependencies = {
  accounts: Pick<Accounts, 'links' | 'profiles' | 'twoFactor' | 'suspensions' | 'teams'>
  keys: Pick<KeyRegistry, 'list'>
  pageUrl(exchange: Exchange): string
}

/** What only the owner of the server may do. */
export const createAdminRoutes = ({ accounts, keys, pageUrl }: AdminRoutesDependencies): Route[] => {
  const { suspensions, teams, twoFactor } = accounts
  type Call = { exchange: Exchange; caller: Person; params: { id: string } }
  /** The requests of what is suspended stop at once, except for this one. */
  const suspend =
    (thing: SuspendedThing) =>
    ({ exchange, caller, params }: Call) =>
      suspensions.suspend(toAuditActor(createActor(exchange, caller)), thing, params.id, exchange.requestId)
  const resume =
    (thing: SuspendedThing) =>
    ({ exchange, caller, params }: Call) =>
      suspensions.resume(toAuditActor(createActor(exchange, caller)), thing, params.id)

  return [
    createRoute(serverOperations.createLink, async ({ exchange, caller, body }) => {
      const actor = toAuditActor(createActor(exchange, caller))
      const { path, expiresAt } = await accounts.links.createForOwner(body.kind, body.email, actor)
      return { url: pageUrl(exchange) + path, expiresAt }
    }),
    createRoute(serverOperations.listAccounts, async () => ({
      data: (await accounts.profiles.list()).map(accountJson),
    })),
    createRoute(serverOperations.resetTwoFactor, ({ exchange, caller, body }) =>
      twoFactor.reset(body.email, toAuditActor(createActor(exchange, caller))),
    ),
    createRoute(serverOperations.listAllOrganisations, async () => ({
      data: (await suspensions.organisations()).map(({ id, name, createdAt, suspendedAt, members, keys }) => ({
        ...{ id, name, createdAt, suspendedAt, members, keys },
      })),
    })),
    createRoute(serverOperations.showOrganisation, async ({ params: { organisation: organisationId } }) => {
      const members = await teams.members(organisationId)
      const emails = new Map(members.map(({ accountId, email }) => [accountId, email]))
      const listed = (await keys.list({ organisationId })).reverse()
      return { members: members.map(memberJson), keys: listed.map((key) => keyJson(key, emails)) }
    }),
    createRoute(serverOperations.suspendAccount, suspend('account')),
    createRoute(serverOperations.resumeAccount, resume('account')),
    createRoute(serverOperations.suspendOrganisation, suspend('organisation')),
    createRoute(serverOperations.resumeOrganisation, resume('organisation')),
    createRoute(serverOperations.suspendKey, suspend('key')),
    createRoute(serverOperations.resumeKey, resume('key')),
  ]
}
