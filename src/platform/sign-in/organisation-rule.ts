import type { Accounts } from '../../accounts/accounts.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { boolean } from '../../http/schema/scalars.ts'
import { memberActorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'

type Handle = (exchange: Exchange, member: Member) => Promise<void>

/** `GET /platform/organisation/rules` */
export const createShowRules =
  ({ organisationRule }: Accounts): Handle =>
  async (exchange, { organisationId }) =>
    sendJson(exchange, 200, await organisationRule.find(organisationId))

const rulesBody = object({ secondFactorRequired: boolean })

/** `POST /platform/organisation/rules` */
export const createChangeRules =
  ({ organisationRule }: Accounts): Handle =>
  async (exchange, member) => {
    const { secondFactorRequired } = await readJson(exchange, bodyLimitBytes, rulesBody)
    const by = { ...memberActorOf(exchange, member), hasSecondFactor: member.hasSecondFactor }
    await organisationRule.change(by, secondFactorRequired)
    sendNothing(exchange)
  }
