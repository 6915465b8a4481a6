import type { Accounts } from '../../accounts/accounts.ts'
import { auditActorOf } from '../../accounts/actor.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson, sendNothing } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { nullable, object, optional } from '../../http/schema/containers.ts'
import { string } from '../../http/schema/scalars.ts'
import type { AuditActor } from '../../store/audit-contract.ts'
import { actorOf, commandLine, holderOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'

type Handle = (exchange: Exchange, person: Person) => Promise<void>

/** `GET /platform/account/sign-in-methods` */
export const createShowMethodsHandler =
  (accounts: Accounts): Handle =>
  async (exchange, { accountId }) =>
    sendJson(exchange, 200, await accounts.signInMethods(accountId))

const confirmBody = object({ password: optional(string()), code: optional(string()) })

/** `POST /platform/account/confirm`: proves again who one is, before something that only they may do. */
export const createConfirm =
  ({ confirmations }: Accounts): Handle =>
  async (exchange, person) => {
    const { password, code } = await readJson(exchange, bodyLimitBytes, confirmBody)
    const holder = holderOf(exchange, person)
    if (code !== undefined) await confirmations.byCode(holder, code)
    else if (password !== undefined) await confirmations.byPassword(holder, password)
    else throw ApiError.of('confirmation_needed', {})
    sendNothing(exchange)
  }

/** `POST /platform/account/two-factor/begin`: the secret for the app. */
export const createBeginTwoFactor =
  ({ twoFactor }: Accounts, siteUrl: (exchange: Exchange) => string): Handle =>
  async (exchange, person) =>
    sendJson(exchange, 200, await twoFactor.begin(holderOf(exchange, person), new URL(siteUrl(exchange)).host))

const codeBody = object({ code: string() })

/** `POST /platform/account/two-factor/confirm`: the app's first code switches it on. */
export const createConfirmTwoFactor =
  ({ twoFactor }: Accounts): Handle =>
  async (exchange, person) => {
    const { code } = await readJson(exchange, bodyLimitBytes, codeBody)
    sendJson(exchange, 200, { recoveryCodes: await twoFactor.confirm(actorOf(exchange, person), code) })
  }

/** `POST /platform/account/two-factor/recovery-codes`: new ones in place of all before. */
export const createRenewRecoveryCodes =
  ({ twoFactor }: Accounts): Handle =>
  async (exchange, person) =>
    sendJson(exchange, 200, { recoveryCodes: await twoFactor.renewCodes(holderOf(exchange, person)) })

const offBody = object({ password: optional(nullable(string())), code: string() })

/** `POST /platform/account/two-factor/off` */
export const createSwitchOffTwoFactor =
  ({ twoFactor }: Accounts): Handle =>
  async (exchange, person) => {
    const { password = null, code } = await readJson(exchange, bodyLimitBytes, offBody)
    await twoFactor.switchOff(holderOf(exchange, person), password, code)
    sendNothing(exchange)
  }

const emailBody = object({ email: string() })

const resetTwoFactor = async (exchange: Exchange, { twoFactor }: Accounts, by: AuditActor): Promise<void> => {
  const { email } = await readJson(exchange, bodyLimitBytes, emailBody)
  await twoFactor.reset(email, by)
  sendJson(exchange, 200, { twoFactor: false })
}

/** `POST /platform/admin/accounts/reset-two-factor`: somebody lost the app and the recovery codes. */
export const createResetTwoFactor =
  (accounts: Accounts): Handle =>
  (exchange, person) =>
    resetTwoFactor(exchange, accounts, auditActorOf(actorOf(exchange, person)))

/** `POST /control/accounts/reset-two-factor`: the same for whoever runs the server, since it may happen to an owner too. */
export const createResetTwoFactorByCommand =
  (accounts: Accounts) =>
  (exchange: Exchange): Promise<void> =>
    resetTwoFactor(exchange, accounts, commandLine)
