import type { Accounts } from '../../accounts/accounts.ts'
import { toAuditActor } from '../../accounts/actor.ts'
import { writeTestMail } from '../../accounts/email/mail-messages.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Config } from '../../config/settings.ts'
import type { Exchange } from '../../http/exchange.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { readWanted } from '../../settings/read-wanted.ts'
import type { ServerSettings } from '../../settings/server-settings.ts'
import type { ConfigurationShown } from '../contract/server.ts'
import { settingOperations } from '../contract/settings.ts'
import { createActor } from '../create-actor.ts'

type SettingRoutesDependencies = {
  config: Config
  settings: Pick<ServerSettings, 'list' | 'save'>
  accounts: Pick<Accounts, 'profiles' | 'mailTrials'>
  pageUrl(exchange: Exchange): string
}

/** The settings that the owner of the server changes while it runs. */
export const createSettingRoutes = ({ config, settings, accounts, pageUrl }: SettingRoutesDependencies): Route[] => [
  createRoute(settingOperations.saveSettings, async ({ exchange, caller, body }) => {
    await settings.save(toAuditActor(createActor(exchange, caller)), body.changes, body.were)
    return configurationJson(config, settings)
  }),
  createRoute(settingOperations.sendTestMail, async ({ exchange, caller, body }) => {
    const smtpUrl = body.smtpUrl === undefined ? config.smtpUrl : readWanted('smtpUrl', body.smtpUrl)
    const mailFrom = body.mailFrom === undefined ? config.mailFrom : readWanted('mailFrom', body.mailFrom)
    const account = await accounts.profiles.find(caller.accountId)
    if (smtpUrl === null || mailFrom === null) throw ApiError.of('mail_not_configured', {})
    if (account === null) throw ApiError.of('not_signed_in', {})
    const message = writeTestMail(account.language, pageUrl(exchange))
    const by = toAuditActor(createActor(exchange, caller))
    const trial = await accounts.mailTrials.send(by, account.id, { smtpUrl, mailFrom, to: account.email, message })
    return { ...trial, to: account.email }
  }),
]

export const configurationJson = (config: Config, settings: Pick<ServerSettings, 'list'>): ConfigurationShown => ({
  signUp: config.signUp,
  data: settings.list(),
})
