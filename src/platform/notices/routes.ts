import type { Accounts } from '../../accounts/accounts.ts'
import { budgetNames } from '../../config/limit-kinds.ts'
import { type Config, settings } from '../../config/settings.ts'
import { upstreamDefaultModel } from '../../config/upstream-default-model.ts'
import type { Exchange } from '../../http/exchange.ts'
import { defaultLimits } from '../../limits/limit-settings.ts'
import type { Models } from '../../models/contract.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { HiddenNoticeRecords } from '../../store/hidden-notice-contract.ts'
import { lastBackupAt } from '../../store/last-backup.ts'
import { noticeOperations } from '../contract/notices.ts'
import { type ListNoticesDependencies, listNotices } from './list-notices.ts'
import { toHiddenNotice, toNoticeChoices } from './notice-choices.ts'

type NoticeRoutesDependencies = ListNoticesDependencies & {
  config: Config
  accounts: Pick<Accounts, 'mail' | 'signInMethods' | 'profiles'>
  models: Pick<Models, 'list'>
  hiddenNotices: HiddenNoticeRecords
  pageUrl(exchange: Exchange): string
}

export const createNoticeRoutes = (dependencies: NoticeRoutesDependencies): Route[] => {
  const { config, accounts, models, hiddenNotices, clock, pageUrl } = dependencies
  const readChoices = async (accountId: string) => toNoticeChoices(await hiddenNotices.list(accountId))
  return [
    createRoute(noticeOperations.listNotices, async ({ caller }) => ({
      data: await listNotices(caller, dependencies),
      choices: await readChoices(caller.accountId),
    })),
    createRoute(noticeOperations.changeNotices, async ({ caller: { accountId }, body }) => {
      const hidden = toHiddenNotice(body)
      await (body.isHidden ? hiddenNotices.hide(accountId, hidden, clock.now()) : hiddenNotices.show(accountId, hidden))
      return readChoices(accountId)
    }),
    createRoute(noticeOperations.showChecklist, async ({ exchange, caller }) => {
      const { twoFactor, passkeys } = await accounts.signInMethods(caller.accountId)
      return {
        https: pageUrl(exchange).startsWith('https:'),
        twoFactor: twoFactor !== null || passkeys.length > 0,
        limits: config.signUp !== 'open' || hasBudget(config),
        mail: accounts.mail.sendsMail,
        invited: (await accounts.profiles.list()).length > 1,
        usesPostgres: config.store !== null,
        backedUpAt: await lastBackupAt(config.dataDir),
        model:
          upstreamDefaultModel(config) !== null || models.list().length > 1 || config.model !== settings.model.default,
      }
    }),
  ]
}

/** A newcomer is limited for longer than a minute. */
const hasBudget = (config: Config): boolean => {
  const limits = defaultLimits(false, config)
  return budgetNames.some((name) => limits[name] !== null)
}
