import { ClientGone } from '../http/exchange.ts'
import { createRequestMetrics } from '../metrics/request-metrics.ts'
import { createPriceLookup } from '../models/price-lookup.ts'
import { oneAtATime } from '../nodes/one-at-a-time.ts'
import { isFree } from '../prices/is-free.ts'
import { openReplays } from '../replay/replays.ts'
import { createSignInPlaces } from '../webhooks/sign-in-places.ts'
import type { Closers } from './closers.ts'
import { openAccess } from './open-access.ts'
import { openCache } from './open-cache.ts'
import type { Cluster } from './open-cluster.ts'
import { openDataDisk } from './open-data-disk.ts'
import { openScheduledBackups } from './open-scheduled-backups.ts'
import type { Storage } from './open-storage.ts'
import { openUsage } from './open-usage.ts'
import type { ServeContext } from './serve-options.ts'
import { sharedReplays } from './shared-replays.ts'

export type Accounting = Awaited<ReturnType<typeof openAccounting>>

export const openAccounting = async (
  context: ServeContext,
  { directory, models, store, redis, messages }: Storage,
  { secrets, settings, limits, node, upstreams, preparedWebhooks }: Cluster,
  closers: Closers,
) => {
  const { config, clock, log, metrics, passwordCost, siteUrl, stopAnswers, workerLink } = context
  const places = createSignInPlaces({
    ...{ records: store.webhooks, teams: store.teams, raise: preparedWebhooks.raise, clock, log },
    tellPerson: (account, place) => access.accounts.mail.notifyNewPlace(account, place),
  })
  const access = openAccess({
    ...{ config, clock, log, store, redis, node, passwordCost, siteUrl, stopAnswers, workerLink, closers },
    seal: secrets.seal,
    announceKeys: (keyIds) => messages?.publish('keys', keyIds),
    onSignedIn: (account, address) => void places(account, address),
  })
  const opened = await openUsage({
    ...{ config, clock, log, store, directory: directory.path, node, messages, closers },
    beforeCheckpoint: workerLink.readCounts,
    onCorrected: limits.onCorrected,
    // Workers may remember whether they are.
    onBodiesSwitched: workerLink.epoch.advance,
  })
  const { families, measureLedger, measureRefusals, onReplayed, onCacheLookup } = createRequestMetrics(
    config.metricsOrganisations,
  )
  metrics.add(...families)
  const usage = { ...opened, ledger: measureLedger(opened.ledger), refusals: measureRefusals(opened.refusals) }
  const findPrice = createPriceLookup(config, models)
  const hasFreeModel = (): boolean => models.list().some(({ model }) => isFree(findPrice(model.id)))
  // After the ledger's recovery: requests that are still open there would count as running.
  const limiter = await limits.open({ config, clock, log, store, redis, node, findPrice, hasFreeModel })
  settings.onChanged(() => limiter.refresh())
  const replays = await openReplays({
    records: { ...store.replays, removeExpired: oneAtATime(node, 'expire replays', store.replays.removeExpired) },
    clock,
    log,
    resumeGraceMs: config.resumeGraceMs,
    replayRetentionHours: () => config.replayRetentionHours,
    replayAnswerLimitBytes: config.replayAnswerLimitBytes,
    replayMemoryLimitBytes: config.replayMemoryLimitBytes,
    replayDiskLimitBytes: config.replayDiskLimitBytes,
    abandoned: () => new ClientGone(),
    onReplayed,
    ...sharedReplays(store, redis, config),
  })
  closers.add(() => replays.close())
  const records = {
    ...store.cache,
    removeExpired: oneAtATime(node, 'expire cached answers', store.cache.removeExpired),
  }
  const cached = openCache({ config, clock, log, records, findPrice, onLookup: onCacheLookup, closers })
  const webhooks = preparedWebhooks.open({
    ...{ seal: secrets.seal, node, accounts: access.accounts, keys: access.keys, limiter, models, upstreams },
    directory: directory.path,
  })
  openScheduledBackups({ config, store, clock, log, closers })
  return { access, ...usage, findPrice, limiter, replays, cached, disk: openDataDisk(config, clock), webhooks }
}
