import type { Accounts } from '../../accounts/accounts.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { holderOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'

const emailBody = object({ email: string(), password: optional(nullable(string())) })

/** `POST /platform/account/email` */
export const createChangeEmail =
  ({ emails }: Accounts) =>
  async (exchange: Exchange, person: Person): Promise<void> => {
    const { email, password = null } = await readJson(exchange, bodyLimitBytes, emailBody)
    sendJson(exchange, 200, { outcome: await emails.requestChange(holderOf(exchange, person), email, password) })
  }

const tokenBody = object({ token: string() })

/** `POST /platform/email-change`: by the link that went to the new address. */
export const createConfirmEmail =
  ({ emails }: Accounts) =>
  async (exchange: Exchange): Promise<void> => {
    const { token } = await readJson(exchange, bodyLimitBytes, tokenBody)
    await emails.confirmChange(token, exchange.origin.clientAddress)
    sendNothing(exchange)
  }
