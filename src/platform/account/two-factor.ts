import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/errors.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import { bodyLimitBytes } from '../body-limit.ts'

type Handle = (exchange: Exchange, member: Member) => Promise<void>

/** `GET /platform/account/sign-in-methods` */
export const createShowMethodsHandler =
  (accounts: Accounts): Handle =>
  async (exchange, { accountId }) =>
    sendJson(exchange, 200, await accounts.methods(accountId))

const confirmBody = object({ password: optional(string()), code: optional(string()) })

/** `POST /platform/account/confirm`: proves again who one is, before something that only they may do. */
export const createConfirm =
  ({ confirmations }: Accounts): Handle =>
  async (exchange, member) => {
    const { password, code } = await readJson(exchange, bodyLimitBytes, confirmBody)
    if (code !== undefined) await confirmations.byCode(member, code)
    else if (password !== undefined) await confirmations.byPassword(member, password)
    else throw ApiError.of('confirmation_needed', {})
    sendNothing(exchange)
  }

/** `POST /platform/account/two-factor/begin`: the secret for the app. */
export const createBeginTwoFactor =
  ({ twoFactor }: Accounts, siteUrl: (exchange: Exchange) => string): Handle =>
  async (exchange, member) =>
    sendJson(exchange, 200, await twoFactor.begin(member, new URL(siteUrl(exchange)).host))

const codeBody = object({ code: string() })

/** `POST /platform/account/two-factor/confirm`: the app's first code switches it on. */
export const createConfirmTwoFactor =
  ({ twoFactor }: Accounts): Handle =>
  async (exchange, member) => {
    const { code } = await readJson(exchange, bodyLimitBytes, codeBody)
    sendJson(exchange, 200, { recoveryCodes: await twoFactor.confirm(member, code) })
  }

/** `POST /platform/account/two-factor/recovery-codes`: new ones in place of all before. */
export const createRenewRecoveryCodes =
  ({ twoFactor }: Accounts): Handle =>
  async (exchange, member) =>
    sendJson(exchange, 200, { recoveryCodes: await twoFactor.renewCodes(member) })

const offBody = object({ password: optional(nullable(string())), code: string() })

/** `POST /platform/account/two-factor/off` */
export const createSwitchOffTwoFactor =
  ({ twoFactor }: Accounts): Handle =>
  async (exchange, member) => {
    const { password = null, code } = await readJson(exchange, bodyLimitBytes, offBody)
    await twoFactor.switchOff(member, password, code)
    sendNothing(exchange)
  }

const emailBody = object({ email: string() })

/**
 * `POST /platform/admin/accounts/reset-two-factor`, and the same under `/control` for whoever runs the server: somebody lost
 * the app and the recovery codes.
 */
export const createResetTwoFactor =
  ({ twoFactor }: Accounts) =>
  async (exchange: Exchange): Promise<void> => {
    const { email } = await readJson(exchange, bodyLimitBytes, emailBody)
    await twoFactor.reset(email)
    sendJson(exchange, 200, { twoFactor: false })
  }
