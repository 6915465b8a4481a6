import type { Accounts } from '../../accounts/accounts.ts'
import { type Config, settings } from '../../config/settings.ts'
import { upstreamDefaultModel } from '../../config/upstream-default-model.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Route } from '../../http/route.ts'
import { defaultLimits } from '../../limits/limit-settings.ts'
import type { Models } from '../../models/contract.ts'
import { lastBackupAt } from '../../store/last-backup.ts'
import { noticeOperations } from '../contract/notices.ts'
import { createRoute } from '../create-route.ts'
import { type ListNoticesDependencies, listNotices } from './list-notices.ts'

type NoticeRoutesDependencies = ListNoticesDependencies & {
  config: Config
  accounts: Pick<Accounts, 'mail' | 'signInMethods' | 'profiles'>
  models: Pick<Models, 'list'>
  pageUrl(exchange: Exchange): string
}

export const createNoticeRoutes = (dependencies: NoticeRoutesDependencies): Route[] => {
  const { config, accounts, models, pageUrl } = dependencies
  return [
    createRoute(noticeOperations.listNotices, async ({ caller }) => ({
      data: await listNotices(caller, dependencies),
    })),
    createRoute(noticeOperations.showChecklist, async ({ exchange, caller }) => {
      const { twoFactor, passkeys } = await accounts.signInMethods(caller.accountId)
      return {
        https: pageUrl(exchange).startsWith('https:'),
        twoFactor: twoFactor !== null || passkeys.length > 0,
        limits: config.signUp !== 'open' || hasBudget(config),
        mail: accounts.mail.sendsMail,
        invited: (await accounts.profiles.list()).length > 1,
        backedUpAt: await lastBackupAt(config.dataDir),
        model:
          upstreamDefaultModel(config) !== null || models.list().length > 1 || config.model !== settings.model.default,
      }
    }),
  ]
}

/** A newcomer is limited for longer than a minute. */
const hasBudget = (config: Config): boolean => {
  const { tokensPerDay, tokensPerMonth, costPerDayMicros, costPerMonthMicros } = defaultLimits(false, config)
  return [tokensPerDay, tokensPerMonth, costPerDayMicros, costPerMonthMicros].some((limit) => limit !== null)
}
