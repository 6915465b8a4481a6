import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { object } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { visitorOf } from '../../session/session-cookies.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { sendEntry } from '../session/handler.ts'

const emailBody = object({ email: string() })

/** `POST /platform/password-reset/request`: the same answer whether there is such an account or not. */
export const createRequestReset =
  (accounts: Accounts) =>
  async (exchange: Exchange): Promise<void> => {
    const { email } = await readJson(exchange, bodyLimitBytes, emailBody)
    accounts.mail.requestReset(email, exchange.origin.clientAddress)
    sendNothing(exchange)
  }

const resetBody = object({ token: string(), password: string() })

/** `POST /platform/password-reset` */
export const createResetPassword =
  (accounts: Accounts) =>
  async (exchange: Exchange): Promise<void> => {
    const { token, password } = await readJson(exchange, bodyLimitBytes, resetBody)
    sendEntry(exchange, await accounts.passwords.reset(token, password, visitorOf(exchange)))
  }

/** `POST /platform/email-verification/request` */
export const createRequestVerification =
  (accounts: Accounts) =>
  async (exchange: Exchange, { accountId }: Person): Promise<void> => {
    const account = await accounts.profiles.find(accountId)
    if (account === null) throw ApiError.of('not_signed_in', {})
    accounts.mail.requestVerification(account)
    sendNothing(exchange)
  }

const tokenBody = object({ token: string() })

/** `POST /platform/email-verification` */
export const createVerifyEmail =
  (accounts: Accounts) =>
  async (exchange: Exchange): Promise<void> => {
    const { token } = await readJson(exchange, bodyLimitBytes, tokenBody)
    await accounts.emails.verify(token, exchange.origin.clientAddress)
    sendNothing(exchange)
  }
