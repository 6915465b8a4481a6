import type { Teams } from '../../accounts/teams/teams.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { roles } from '../../store/team-contract.ts'
import { memberActorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { memberJson } from './organisation-json.ts'

type Handle = (exchange: Exchange, member: Member) => Promise<void>

export const role = oneOf(...roles)

/** `GET /platform/organisation/members` */
export const createListMembers =
  (teams: Teams): Handle =>
  async (exchange, { organisationId }) =>
    sendJson(exchange, 200, { data: (await teams.members(organisationId)).map(memberJson) })

const roleBody = object({ role, was: role })

/** `POST /platform/organisation/members/{account}/role` */
export const createChangeRole =
  (teams: Teams): Handle =>
  async (exchange, member) => {
    const body = await readJson(exchange, bodyLimitBytes, roleBody)
    await teams.changeRole(memberActorOf(exchange, member), exchange.params.account ?? '', body.role, body.was)
    sendNothing(exchange)
  }

const removeBody = object({ revokeKeys: boolean })

/** `POST /platform/organisation/members/{account}/remove` */
export const createRemoveMember =
  (teams: Teams): Handle =>
  async (exchange, member) => {
    const { revokeKeys } = await readJson(exchange, bodyLimitBytes, removeBody)
    await teams.removeMember(memberActorOf(exchange, member), exchange.params.account ?? '', revokeKeys)
    sendNothing(exchange)
  }

/** `POST /platform/organisation/leave` */
export const createLeave =
  (teams: Teams): Handle =>
  async (exchange, member) => {
    await teams.leave(memberActorOf(exchange, member))
    sendNothing(exchange)
  }

const handOverBody = object({ account: string() })

/** `POST /platform/organisation/hand-over` */
export const createHandOver =
  (teams: Teams): Handle =>
  async (exchange, member) => {
    const { account } = await readJson(exchange, bodyLimitBytes, handOverBody)
    await teams.handOver(memberActorOf(exchange, member), account)
    sendNothing(exchange)
  }
