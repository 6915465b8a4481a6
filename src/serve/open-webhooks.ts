import { hostname } from 'node:os'
import type { Accounts } from '../accounts/accounts.ts'
import type { Seal } from '../accounts/secrets/seal.ts'
import { openPeriodicTask } from '../base/periodic-task.ts'
import type { Config } from '../config/settings.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { Models } from '../models/contract.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import { oneAtATime } from '../nodes/one-at-a-time.ts'
import type { Store } from '../store/contract.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import { createDeliver } from '../webhooks/deliver.ts'
import { openDeliveryWorker } from '../webhooks/delivery-worker.ts'
import { pruneWebhooks } from '../webhooks/prune-webhooks.ts'
import { createRaiseEvent, type RaiseEvent } from '../webhooks/raise-events.ts'
import { createTargetGuard } from '../webhooks/target-guard.ts'
import { watchOrganisations } from '../webhooks/watch-organisations.ts'
import { createServerWatch } from '../webhooks/watch-server.ts'
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.ts'
import type { Closers } from './closers.ts'
import type { ServeContext } from './serve-options.ts'

export type PreparedWebhooks = {
  readonly raise: RaiseEvent
  open(dependencies: WebhookDependencies): Webhooks
}

type WebhookDependencies = {
  seal: Seal
  node: Pick<NodeLease, 'holdTask'>
  accounts: Pick<Accounts, 'findMailer'>
  keys: Pick<KeyRegistry, 'list'>
  limiter: Pick<Limiter, 'usageSnapshots'>
  models: Pick<Models, 'list'>
  upstreams: Pick<UpstreamRegistry, 'list'>
  /** The data directory. */
  directory: string
}

/** Apart from the times of other parts, so that tests can wait for one or the other. */
const watchServerMs = 31_000
const watchOrganisationsMs = 61_000
const hourMs = 3_600_000

/** Events can be raised from the start; they are delivered once everything that they may be about is open. */
export const prepareWebhooks = (
  { config, clock, log, siteUrl, certificateEndsAt }: ServeContext,
  store: Store,
  closers: Closers,
): PreparedWebhooks => {
  const { webhooks: records } = store
  let wake = (): void => {}
  const raise = createRaiseEvent({ records, clock, log, onRaised: () => wake() })
  return {
    raise,
    open({ seal, node, accounts: { findMailer }, keys, limiter, models, upstreams, directory }) {
      const guard = createTargetGuard(config.webhookNetworks)
      const deliver = createDeliver({ seal, guard, findMailer, siteUrl, clock })
      const worker = openDeliveryWorker({ records, deliver, clock, log })
      closers.add(() => worker.close())
      wake = worker.wake
      const prune = oneAtATime(node, 'prune webhooks', records.prune)
      const look = createServerWatch({
        ...{ records, models, upstreams, nodes: store.nodes, directory, raise, clock, log },
        certificateEndsAt,
        backupMaxAgeMs: backupMaxAgeMs(config),
        nodeName: config.nodeName ?? hostname(),
      })
      const organisations = {
        ...{ records, keys, limiter, node, raise, clock, log, timeZone: config.timeZone, usage: store.usage },
        firstOrganisation: store.organisations.first,
      }
      const tasks = [
        pruneWebhooks({ prune, settings: config, clock, log }),
        openPeriodicTask(look, clock, watchServerMs),
        openPeriodicTask((isClosed) => watchOrganisations(organisations, isClosed), clock, watchOrganisationsMs),
      ]
      for (const task of tasks) closers.add(() => task.close())
      return createWebhooks({
        records,
        seal,
        guard,
        sendsMail: () => findMailer() !== null,
        clock,
        onQueued: worker.wake,
      })
    },
  }
}

/** PostgreSQL is backed up by other means. */
const backupMaxAgeMs = ({ store, backupDir, backupIntervalHours }: Config): number | null =>
  store === null ? Math.max(48, backupDir === null ? 0 : 2 * backupIntervalHours) * hourMs : null
