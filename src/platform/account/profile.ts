import type { Accounts } from '../../accounts/accounts.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { nullable, object } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { actorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'

const profileBody = object({ name: nullable(string()) })

/** `POST /platform/account/profile` */
export const createSetProfile =
  (accounts: Accounts) =>
  async (exchange: Exchange, person: Person): Promise<void> => {
    const { name } = await readJson(exchange, bodyLimitBytes, profileBody)
    await accounts.profiles.setName(actorOf(exchange, person), name)
    sendNothing(exchange)
  }
