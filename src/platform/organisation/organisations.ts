import type { Teams } from '../../accounts/teams/teams.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Member, Person } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { actorOf, memberActorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { ownOrganisationJson } from './organisation-json.ts'

type PersonHandle = (exchange: Exchange, person: Person) => Promise<void>
type MemberHandle = (exchange: Exchange, member: Member) => Promise<void>

/** `GET /platform/organisations`: those that somebody belongs to. */
export const createListOrganisations =
  (teams: Teams): PersonHandle =>
  async (exchange, { accountId }) =>
    sendJson(exchange, 200, { data: (await teams.organisations(accountId)).map(ownOrganisationJson) })

const nameBody = object({ name: string() })

/** `POST /platform/organisations` */
export const createCreateOrganisation =
  (teams: Teams): PersonHandle =>
  async (exchange, person) => {
    const { name } = await readJson(exchange, bodyLimitBytes, nameBody)
    const organisation = await teams.create(actorOf(exchange, person), name)
    sendJson(exchange, 201, {
      id: organisation.id,
      name: organisation.name,
      role: 'owner',
      members: 1,
      suspended: false,
    })
  }

/** `POST /platform/organisations/{organisation}/switch`: this session goes on for another organisation. */
export const createSwitchOrganisation =
  (teams: Teams): PersonHandle =>
  async (exchange, person) => {
    await teams.switchTo(actorOf(exchange, person), exchange.params.organisation ?? '')
    sendNothing(exchange)
  }

const renameBody = object({ name: string(), was: string() })

/** `POST /platform/organisation/rename` */
export const createRenameOrganisation =
  (teams: Teams): MemberHandle =>
  async (exchange, member) => {
    const { name, was } = await readJson(exchange, bodyLimitBytes, renameBody)
    await teams.rename(memberActorOf(exchange, member), name, was)
    sendNothing(exchange)
  }

/** `POST /platform/organisation/delete` */
export const createDeleteOrganisation =
  (teams: Teams): MemberHandle =>
  async (exchange, member) => {
    const { name } = await readJson(exchange, bodyLimitBytes, nameBody)
    await teams.remove(memberActorOf(exchange, member), name)
    sendNothing(exchange)
  }
