import type { Accounts } from '../../accounts/accounts.ts'
import { auditActorOf } from '../../accounts/actor.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import type { ListedOrganisation, SuspendedThing } from '../../store/suspension-contract.ts'
import { actorOf } from '../actor-of.ts'
import { memberKeyJson } from '../keys/key-json.ts'
import { memberJson } from '../organisation/organisation-json.ts'

type Handle = (exchange: Exchange, person: Person) => Promise<void>

/** `POST /platform/admin/…/{id}/suspend`: its requests stop at once. */
export const createSuspend =
  ({ suspensions }: Accounts, thing: SuspendedThing): Handle =>
  async (exchange, person) => {
    const by = auditActorOf(actorOf(exchange, person))
    await suspensions.suspend(by, thing, exchange.params.id ?? '', exchange.requestId)
    sendNothing(exchange)
  }

/** `POST /platform/admin/…/{id}/resume` */
export const createResume =
  ({ suspensions }: Accounts, thing: SuspendedThing): Handle =>
  async (exchange, person) => {
    await suspensions.resume(auditActorOf(actorOf(exchange, person)), thing, exchange.params.id ?? '')
    sendNothing(exchange)
  }

const organisationJson = ({ suspendedAt, ...organisation }: ListedOrganisation) => ({
  ...organisation,
  suspended: suspendedAt !== null,
})

/** `GET /platform/admin/organisations` */
export const createListAllOrganisations =
  ({ suspensions }: Accounts): Handle =>
  async (exchange) =>
    sendJson(exchange, 200, { data: (await suspensions.organisations()).map(organisationJson) })

/** `GET /platform/admin/organisations/{organisation}`: whose it is, and its keys. */
export const createShowOrganisation =
  ({ teams }: Accounts, keys: KeyRegistry): Handle =>
  async (exchange) => {
    const organisationId = exchange.params.organisation ?? ''
    const members = await teams.members(organisationId)
    const emails = new Map(members.map(({ accountId, email }) => [accountId, email]))
    const listed = (await keys.list({ organisationId })).reverse()
    sendJson(exchange, 200, {
      members: members.map(memberJson),
      keys: listed.map((key) => memberKeyJson(key, emails)),
    })
  }
